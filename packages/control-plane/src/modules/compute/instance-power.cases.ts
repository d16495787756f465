import type { instancePowerOps } from '@gantry/api/instance-power'
import { atlas, instance } from '../../testing/case-values.ts'
import { type CasesOf, modifyChild } from '../../testing/operation-case.ts'

export const instancePowerCases: CasesOf<typeof instancePowerOps> = {
  instanceForceOff: {
    sent: instance,
    rule: modifyChild,
    allowed: () => [`/ext/v1/instances/web/force-off?${atlas}`],
  },
}
