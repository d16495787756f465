import type { lastOutputOps } from '@gantry/api/last-output'
import { atlas, instance } from '../../testing/case-values.ts'
import { type CasesOf, readChild } from '../../testing/operation-case.ts'

export const lastOutputCases: CasesOf<typeof lastOutputOps> = {
  instanceLastOutputView: {
    sent: instance,
    rule: readChild,
    allowed: () => [`/ext/v1/instances/web/last-output?${atlas}`],
  },
}
