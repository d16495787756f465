import type { instancePowerOps } from '@gantry/api/compute/instance-power'
import { atlas, instance } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, modifyChild } from '@gantry/control-plane/testing/operation-case'

export const instancePowerCases: CasesOf<typeof instancePowerOps> = {
  instanceForceOff: {
    sent: instance,
    rule: modifyChild,
    allowed: () => [`/ext/v1/instances/web/force-off?${atlas}`],
  },
}
