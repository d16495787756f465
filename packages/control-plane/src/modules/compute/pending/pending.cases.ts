import type { pendingOps } from '@gantry/api/compute/pending'
import { atlas, instance } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, modifyChild } from '@gantry/control-plane/testing/operation-case'

export const pendingCases: CasesOf<typeof pendingOps> = {
  instancePendingUpdate: {
    sent: { ...instance, body: { ncpus: 2 } },
    rule: modifyChild,
    allowed: () => [`/ext/v1/instances/web/pending?${atlas}`, {}],
  },
}
