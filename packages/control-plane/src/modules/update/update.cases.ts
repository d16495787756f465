import type { updateOps } from '@gantry/api/system/update'
import { id, next } from '../../testing/case-values.ts'
import { type CasesOf, onFleet, openly } from '../../testing/operation-case.ts'
import { addRepository, addTrustRoot, addUpload } from '../../testing/updates.ts'

const atRelease = { path: { system_version: '9.9.9' } }
const trustRoot = { path: { trust_root_id: id } }
const repositoryUpload = { path: { upload_id: id } }
const update = '/v1/system/update'
const extUpdate = '/ext/v1/system/update'

export const updateCases: CasesOf<typeof updateOps> = {
  systemUpdatePutRepository: {
    sent: { query: { file_name: 'gantry.zip' } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${update}/repository?file_name=a.zip`, {}],
  },
  systemUpdateGetRepository: {
    sent: atRelease,
    rule: onFleet('read'),
    allowed: () => [`${update}/repository/1.0.0`],
  },
  systemUpdateRepositoryUpload: {
    sent: { query: { file_name: 'gantry.zip' } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${update}/repositories?file_name=a.zip`, {}],
  },
  systemUpdateRepositoryList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${update}/repositories`],
  },
  systemUpdateRepositoryView: {
    sent: atRelease,
    rule: onFleet('read'),
    allowed: () => [`${update}/repositories/1.0.0`],
  },
  targetReleaseView: { sent: {}, rule: openly('read', 'fleet'), allowed: () => [`${update}/target-release`] },
  targetReleaseUpdate: {
    sent: { body: { system_version: '9.9.9' } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${update}/target-release`, { system_version: '9.9.9' }],
    missing: true,
  },
  systemUpdateStatus: { sent: {}, rule: openly('read', 'fleet'), allowed: () => [`${update}/status`] },
  systemUpdateRecoveryFinish: {
    sent: { body: { system_version: '9.9.9' } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${update}/recovery-finish`, { system_version: '9.9.9' }],
    missing: true,
  },
  systemUpdateTrustRootList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${update}/trust-roots`],
  },
  systemUpdateTrustRootCreate: {
    sent: { body: { signed: {}, signatures: [] } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${update}/trust-roots`, { signed: {}, signatures: [] }],
  },
  systemUpdateTrustRootView: {
    sent: trustRoot,
    rule: onFleet('read'),
    allowed: ({ ids }) => [`${update}/trust-roots/${ids.root}`],
  },
  systemUpdateTrustRootDelete: {
    sent: trustRoot,
    rule: onFleet('modify'),
    allowed: async ({ bed }) => [`${update}/trust-roots/${await addTrustRoot(bed)}`],
  },
  updateStatusView: { sent: {}, rule: openly('read', 'fleet'), allowed: () => [`${extUpdate}/status`] },
  updateSuspend: { sent: {}, rule: openly('modify', 'fleet'), allowed: () => [`${extUpdate}/suspend`] },
  updateResume: { sent: {}, rule: openly('modify', 'fleet'), allowed: () => [`${extUpdate}/resume`] },
  updateRetry: { sent: {}, rule: openly('modify', 'fleet'), allowed: () => [`${extUpdate}/retry`] },
  updateRepositoryList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${extUpdate}/repositories`],
  },
  updateRepositoryDelete: {
    sent: atRelease,
    rule: onFleet('modify'),
    allowed: async ({ bed }) => [`${extUpdate}/repositories/${await addRepository(bed, `2.0.${next()}`)}`],
  },
  updateUploadList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${extUpdate}/uploads`],
  },
  updateUploadCreate: {
    sent: { body: { file_name: 'gantry.zip', size: 1024 } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${extUpdate}/uploads`, { file_name: 'a.zip', size: 1 }],
  },
  updateUploadView: {
    sent: repositoryUpload,
    rule: onFleet('read'),
    allowed: ({ ids }) => [`${extUpdate}/uploads/${ids.repository}`],
  },
  updateUploadWrite: {
    sent: { ...repositoryUpload, query: { offset: '0' } },
    rule: onFleet('modify'),
    allowed: ({ ids }) => [`${extUpdate}/uploads/${ids.repository}/content?offset=0`],
  },
  updateUploadComplete: {
    sent: repositoryUpload,
    rule: onFleet('modify'),
    allowed: ({ ids }) => [`${extUpdate}/uploads/${ids.repository}/complete`],
  },
  updateUploadDelete: {
    sent: repositoryUpload,
    rule: onFleet('modify'),
    allowed: async ({ bed }) => [`${extUpdate}/uploads/${await addUpload(bed)}`],
  },
}
