import type { externalIpProblemOps } from '@gantry/api/external-ip-problem'
import { atlas, instance } from '../../testing/case-values.ts'
import { type CasesOf, readChild } from '../../testing/operation-case.ts'

export const externalIpProblemCases: CasesOf<typeof externalIpProblemOps> = {
  instanceExternalIpProblemList: {
    sent: instance,
    rule: readChild,
    allowed: () => [`/ext/v1/instances/web/external-ip-problems?${atlas}`],
  },
}
