import type { AffinityFamily } from '@gantry/api/affinity.rules'
import * as op from '@gantry/api/client/operations.gen'

const antiAffinityChanges = {
  create: op.antiAffinityGroupCreate,
  update: op.antiAffinityGroupUpdate,
  delete: op.antiAffinityGroupDelete,
  memberAdd: op.antiAffinityGroupMemberInstanceAdd,
  memberRemove: op.antiAffinityGroupMemberInstanceDelete,
}
const affinityChanges = {
  create: op.affinityGroupCreate,
  update: op.affinityGroupUpdate,
  delete: op.affinityGroupDelete,
  memberAdd: op.affinityGroupMemberInstanceAdd,
  memberRemove: op.affinityGroupMemberInstanceDelete,
}

/** As in `familyReads`, one type stands for both families. In a file of its own, because few pages change groups. */
export const familyChanges = {
  'anti-affinity': antiAffinityChanges,
  affinity: affinityChanges as unknown as typeof antiAffinityChanges,
} satisfies Record<AffinityFamily, typeof antiAffinityChanges>
