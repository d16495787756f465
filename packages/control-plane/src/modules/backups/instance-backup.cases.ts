import type { instanceBackupOps } from '@gantry/api/backups/instance-backup'
import { atlas, fresh, GiB, named, newDisk, plain, project } from '../../testing/case-values.ts'
import {
  type CasesOf,
  createInProject,
  type Given,
  listProject,
  modifyChild,
  readChild,
} from '../../testing/operation-case.ts'
import type { PolicyScene } from '../../testing/policy-scene.ts'

const at = '/ext/v1/instance-backups'
const sent = { path: { instance_backup: 'nobody' }, query: project }
/** A stopped instance with a disk that was created before, and has its bytes for that reason. */
const machine = (name: string, disk: string) => ({
  name,
  description: '',
  hostname: name,
  ncpus: 1,
  memory: GiB,
  start: false,
  disks: [{ type: 'attach', name: disk }],
})
async function freshBackup(made: PolicyScene['made']): Promise<string> {
  const disk = await made(`/v1/disks?${atlas}`, newDisk(fresh()))
  const instance = await made(`/v1/instances?${atlas}`, machine(fresh(), disk))
  return made(`${at}?${atlas}`, { ...plain(), instance })
}

export const instanceBackupCases: CasesOf<typeof instanceBackupOps> = {
  instanceBackupTargetList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/instance-backup-targets?${atlas}`],
  },
  instanceBackupCreate: {
    sent: { query: project, body: { ...named, instance: 'nobody' } },
    rule: createInProject,
    allowed: () => [`${at}?${atlas}`, { ...plain(), instance: 'web' }],
  },
  instanceBackupView: {
    sent,
    rule: readChild,
    allowed: async ({ made }) => [`${at}/${await freshBackup(made)}?${atlas}`],
    addressed: [
      'instance_backup',
      'instance-backup',
      ['project'],
      'when providing instance_backup as an ID project should not be specified',
      'instance_backup should either be UUID or project should be specified',
    ],
  },
  instanceBackupDelete: {
    sent,
    rule: modifyChild,
    allowed: async ({ made }) => [`${at}/${await freshBackup(made)}?${atlas}`],
  },
  instanceBackupVerify: {
    sent,
    rule: modifyChild,
    allowed: async ({ made }) => [`${at}/${await freshBackup(made)}/verify?${atlas}`],
  },
  instanceBackupRestore: {
    sent: { ...sent, body: { type: 'instance', name: 'again' } },
    rule: createInProject,
    allowed: async ({ made }) => [
      `${at}/${await freshBackup(made)}/restore?${atlas}`,
      { type: 'instance', name: fresh() },
    ],
  },
}

export const instanceBackupGiven: Given = {
  instance_backup: async ({ at: query, the, make }) => {
    const held = newDisk('backed-up-disk')
    await make(`/v1/disks?${query}`, held)
    const body = machine('backed-up', held.name)
    return [`${at}?${query}`, { ...the, instance: await make(`/v1/instances?${query}`, body) }]
  },
}
