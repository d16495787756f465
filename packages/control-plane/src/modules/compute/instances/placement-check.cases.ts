import type { placementCheckOps } from '@gantry/api/compute/placement-check'
import { GiB, atlas, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, createInProject } from '@gantry/control-plane/testing/operation-case'

export const placementCheckCases: CasesOf<typeof placementCheckOps> = {
  placementCheck: {
    sent: { query: project, body: { ncpus: 1, memory: GiB } },
    rule: createInProject,
    allowed: () => [`/ext/v1/placement-checks?${atlas}`, { ncpus: 1, memory: GiB }],
  },
}
