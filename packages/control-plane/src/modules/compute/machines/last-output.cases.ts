import type { lastOutputOps } from '@gantry/api/compute/last-output'
import { atlas, instance } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, readChild } from '@gantry/control-plane/testing/operation-case'

export const lastOutputCases: CasesOf<typeof lastOutputOps> = {
  instanceLastOutputView: {
    sent: instance,
    rule: readChild,
    allowed: () => [`/ext/v1/instances/web/last-output?${atlas}`],
  },
}
