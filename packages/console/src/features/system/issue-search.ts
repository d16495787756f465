import { type IssueKind, issueKinds } from '@gantry/api/system.rules'
import { texts } from '#/features/common/use-list-page.ts'

/** What the URL asks of the list of issues. */
export interface IssueSearch {
  state?: string
  kind?: string
}

export const issueSearch: (search: Record<string, unknown>) => IssueSearch = texts('state', 'kind')

export const issueStates = ['open', 'past'] as const

/** What is asked of the server; words that mean nothing are ignored. */
export function issueQuery(search: IssueSearch): { state?: 'open' | 'past'; kind?: IssueKind[] } {
  const state = issueStates.find((each) => each === search.state)
  const kind = issueKinds.find((each) => each === search.kind)
  return { ...(state && { state }), ...(kind && { kind: [kind] }) }
}
