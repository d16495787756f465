import { implement } from '../../kernel/implement.ts'
import { viewCapacity } from './capacity.ts'
import { listIssues } from './issues.ts'
import { viewOverview } from './overview.ts'

export const systemHttp = implement({
  systemOverviewView: viewOverview,
  systemIssueList: (cx, { query }) => listIssues(cx, query),
  systemCapacityView: viewCapacity,
})
