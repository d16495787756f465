import type { sortedListOps } from '@gantry/api/base/sorted-list'
import { atlas, project } from '../../testing/case-values.ts'
import { type CasesOf, listProject } from '../../testing/operation-case.ts'

export const sortedListCases: CasesOf<typeof sortedListOps> = {
  instanceSortedList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/instances?${atlas}`],
  },
  diskSortedList: { sent: { query: project }, rule: listProject, allowed: () => [`/ext/v1/disks?${atlas}`] },
  snapshotSortedList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/snapshots?${atlas}`],
  },
}
