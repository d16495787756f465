import type { instanceSnapshotOps } from '@gantry/api/storage/instance-snapshot'
import { atlas, fresh, GiB, named, newDisk, plain, project } from '../../testing/case-values.ts'
import {
  type CasesOf,
  createInProject,
  type Given,
  modifyChild,
  readChild,
} from '../../testing/operation-case.ts'
import type { PolicyScene } from '../../testing/policy-scene.ts'

const at = '/ext/v1/instance-snapshots'
const sent = { path: { instance_snapshot: 'nobody' }, query: project }
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
/** A new instance snapshot of an instance of its own, by its name or id. */
export const freshSnapshot = async (made: PolicyScene['made']): Promise<string> => {
  const disk = await made(`/v1/disks?${atlas}`, newDisk(fresh()))
  const instance = await made(`/v1/instances?${atlas}`, machine(fresh(), disk))
  return made(`${at}?${atlas}`, { ...plain(), instance })
}

export const instanceSnapshotCases: CasesOf<typeof instanceSnapshotOps> = {
  instanceSnapshotCreate: {
    sent: { query: project, body: { ...named, instance: 'nobody' } },
    rule: createInProject,
    allowed: () => [`${at}?${atlas}`, { ...plain(), instance: 'web' }],
  },
  instanceSnapshotView: {
    sent,
    rule: readChild,
    allowed: async ({ made }) => [`${at}/${await freshSnapshot(made)}?${atlas}`],
    addressed: [
      'instance_snapshot',
      'instance-snapshot',
      ['project'],
      'when providing instance_snapshot as an ID project should not be specified',
      'instance_snapshot should either be UUID or project should be specified',
    ],
  },
  instanceSnapshotDelete: {
    sent,
    rule: modifyChild,
    allowed: async ({ made }) => [`${at}/${await freshSnapshot(made)}?${atlas}`],
  },
  instanceSnapshotRestorePlan: {
    sent,
    rule: readChild,
    allowed: async ({ made }) => [`${at}/${await freshSnapshot(made)}/restore-plan?${atlas}`],
  },
  instanceSnapshotRestore: {
    sent: { ...sent, body: { keep_present: false } },
    rule: createInProject,
    allowed: async ({ made }) => [
      `${at}/${await freshSnapshot(made)}/restore?${atlas}`,
      { keep_present: false },
    ],
  },
  instanceSnapshotUse: {
    sent: { ...sent, body: { name: 'again' } },
    rule: createInProject,
    allowed: async ({ made }) => [`${at}/${await freshSnapshot(made)}/instances?${atlas}`, { name: fresh() }],
  },
}

export const instanceSnapshotGiven: Given = {
  instance_snapshot: async ({ at: query, the, make }) => {
    const held = newDisk('snapshotted-disk')
    await make(`/v1/disks?${query}`, held)
    const body = machine('snapshotted', held.name)
    return [`${at}?${query}`, { ...the, instance: await make(`/v1/instances?${query}`, body) }]
  },
}
