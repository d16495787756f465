import { implement } from '../../pipeline/implement.ts'
import { acknowledgeIssue, withdrawAcknowledgement } from './acknowledgements.ts'
import { viewCapacity } from './capacity.ts'
import { listIssues } from './issues.ts'
import { viewOverview } from './overview.ts'

export const systemHttp = implement({
  systemOverviewView: viewOverview,
  systemIssueList: (cx, { query }) => listIssues(cx, query),
  issueAcknowledge: (cx, { path, body }) => acknowledgeIssue(cx, path.issue, body.note),
  issueAcknowledgementRemove: (cx, { path }) => withdrawAcknowledgement(cx, path.issue),
  systemCapacityView: viewCapacity,
})
