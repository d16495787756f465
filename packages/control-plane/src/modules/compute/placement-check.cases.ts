import type { placementCheckOps } from '@gantry/api/placement-check'
import { GiB, atlas, project } from '../../testing/case-values.ts'
import { type CasesOf, createInProject } from '../../testing/operation-case.ts'

export const placementCheckCases: CasesOf<typeof placementCheckOps> = {
  placementCheck: {
    sent: { query: project, body: { ncpus: 1, memory: GiB } },
    rule: createInProject,
    allowed: () => [`/ext/v1/placement-checks?${atlas}`, { ncpus: 1, memory: GiB }],
  },
}
