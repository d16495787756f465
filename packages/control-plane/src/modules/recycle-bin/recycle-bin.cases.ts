import type { recycleBinOps } from '@gantry/api/history/recycle-bin'
import { atlas, id, project } from '../../testing/case-values.ts'
import { type CasesOf, createInNetwork, on, openly } from '../../testing/operation-case.ts'

const item = { path: { item_id: id } }

export const recycleBinCases: CasesOf<typeof recycleBinOps> = {
  recycleBinList: {
    sent: { query: project },
    rule: on('list_children', 'project'),
    allowed: () => [`/ext/v1/recycle-bin?${atlas}`],
  },
  recycleBinUseView: {
    sent: { query: project },
    rule: on('list_children', 'project'),
    allowed: () => [`/ext/v1/recycle-bin-use?${atlas}`],
  },
  recycleBinEmpty: {
    sent: { query: project },
    rule: createInNetwork,
    allowed: () => [`/ext/v1/recycle-bin?${atlas}`],
  },
  recycledItemPlan: {
    sent: item,
    rule: 'member',
    missing: true,
    allowed: () => [`/ext/v1/recycle-bin/${id}/restore-plan`],
  },
  recycledItemRestore: {
    sent: { ...item, body: { name: 'again', together: [id] } },
    rule: 'member',
    missing: true,
    allowed: () => [`/ext/v1/recycle-bin/${id}/restore`, {}],
  },
  recycledItemDelete: {
    sent: item,
    rule: 'member',
    missing: true,
    allowed: () => [`/ext/v1/recycle-bin/${id}`],
  },
  objectDelete: {
    sent: { path: { object_id: id }, query: { kind: 'disk', for_good: 'true' } },
    rule: 'member',
    missing: true,
    allowed: () => [`/ext/v1/objects/${id}?kind=disk`],
  },
  recycleBinSettingsView: {
    sent: {},
    rule: openly('read', 'silo'),
    allowed: () => ['/ext/v1/recycle-bin-settings'],
  },
  recycleBinSettingsUpdate: {
    sent: { body: { hours: 24 } },
    rule: openly('modify', 'silo'),
    allowed: () => ['/ext/v1/recycle-bin-settings', { hours: 24 }],
  },
}
