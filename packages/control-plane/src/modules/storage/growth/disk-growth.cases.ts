import type { diskGrowthOps } from '@gantry/api/storage/disk-growth'
import { atlas, GiB, next, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, modifyChild } from '@gantry/control-plane/testing/operation-case'

export const diskGrowthCases: CasesOf<typeof diskGrowthOps> = {
  diskGrow: {
    sent: { path: { disk: 'nobody' }, query: project, body: { size: 2 * GiB } },
    rule: modifyChild,
    allowed: () => [`/ext/v1/disks/loose/grow?${atlas}`, { size: (100 + next()) * GiB }],
  },
}
