import type { screenOps } from '@gantry/api/compute/screen'
import { atlas, instance } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, modifyChild } from '@gantry/control-plane/testing/operation-case'

export const screenCases: CasesOf<typeof screenOps> = {
  instanceScreenStream: {
    sent: instance,
    rule: modifyChild,
    allowed: () => [`/ext/v1/instances/web/screen/stream?${atlas}`],
  },
}
