import type { pastOps } from '@gantry/api/history/past'
import { id, project } from '../../testing/case-values.ts'
import { type CasesOf, listProject } from '../../testing/operation-case.ts'

/** When it is sent: before its project exists, there is nothing to see. */
const now = () => new Date().toISOString()

export const pastCases: CasesOf<typeof pastOps> = {
  pastObjectView: {
    sent: { path: { object_id: id }, query: { kind: 'instance', at: now() } },
    rule: 'member',
    missing: true,
    allowed: () => [`/ext/v1/past/${id}?kind=instance&at=${now()}`],
  },
  pastObjectList: {
    sent: {
      query: {
        ...project,
        kind: 'disk',
        get at() {
          return now()
        },
      },
    },
    rule: listProject,
    allowed: () => [`/ext/v1/past?project=atlas&kind=disk&at=${now()}`],
  },
}
