import type { externalIpProblemOps } from '@gantry/api/network/external-ip-problem'
import { atlas, instance } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, readChild } from '@gantry/control-plane/testing/operation-case'

export const externalIpProblemCases: CasesOf<typeof externalIpProblemOps> = {
  instanceExternalIpProblemList: {
    sent: instance,
    rule: readChild,
    allowed: () => [`/ext/v1/instances/web/external-ip-problems?${atlas}`],
  },
}
