import type { instanceChangeOps } from '@gantry/api/compute/instance-change'
import { atlas, inTime, instance } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, listChild } from '@gantry/control-plane/testing/operation-case'

export const instanceChangeCases: CasesOf<typeof instanceChangeOps> = {
  instanceChangeList: {
    sent: { ...instance, query: { ...instance.query, ...inTime } },
    rule: listChild,
    allowed: () => [`/ext/v1/instances/web/changes?${atlas}&start_time=2025-01-01T00:00:00Z`],
  },
}
