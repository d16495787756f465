import type { identityChangeOps } from '@gantry/api/base/identity-change'
import { atlas, fresh, instance, project } from '@gantry/control-plane/testing/case-values'
import { freshSnapshot } from '../../instance-snapshots/instance-snapshot.cases.ts'
import { type CasesOf, modifyChild } from '@gantry/control-plane/testing/operation-case'

const body = { description: 'x' }

export const identityChangeCases: CasesOf<typeof identityChangeOps> = {
  instanceIdentityUpdate: {
    sent: { ...instance, body },
    rule: modifyChild,
    allowed: () => [`/ext/v1/instances/web?${atlas}`, { description: fresh() }],
  },
  diskIdentityUpdate: {
    sent: { path: { disk: 'nobody' }, query: project, body },
    rule: modifyChild,
    allowed: () => [`/ext/v1/disks/loose?${atlas}`, { description: fresh() }],
  },
  instanceSnapshotIdentityUpdate: {
    sent: { path: { instance_snapshot: 'nobody' }, query: project, body },
    rule: modifyChild,
    allowed: async ({ made }) => [
      `/ext/v1/instance-snapshots/${await freshSnapshot(made)}?${atlas}`,
      { description: fresh() },
    ],
  },
}
