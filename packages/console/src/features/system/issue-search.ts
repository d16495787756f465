import { type IssueKind, issueKinds } from '@gantry/api/system/system.rules'
import { texts } from '#/kit/list/use-list-page.ts'

/** The URL's filters for the list of issues. */
export interface IssueSearch {
  state?: string
  kind?: string
}

export const issueSearch: (search: Record<string, unknown>) => IssueSearch = texts('state', 'kind')

export const issueStates = ['open', 'past'] as const

/** The query parameters for the server; ignores invalid values. */
export function issueQuery(search: IssueSearch): { state?: 'open' | 'past'; kind?: IssueKind[] } {
  const state = issueStates.find((each) => each === search.state)
  const kind = issueKinds.find((each) => each === search.kind)
  return { ...(state && { state }), ...(kind && { kind: [kind] }) }
}
