import type { LinkTarget } from '#/kit/links/link-target.ts'
import { withoutEmpty } from '#/kit/inputs/without-empty.ts'
import { texts } from '#/kit/list/use-list-page.ts'

/** The URL's search parameters for the list of alerts. */
export interface RaisedSearch {
  page?: string | undefined
  /** The open alert. */
  alert?: string | undefined
  /** A class, or a pattern for several. */
  class?: string | undefined
  /** Days such as `2026-08-14`, both inclusive, in the reader's time zone. */
  from?: string | undefined
  to?: string | undefined
}

export const raisedSearch: (search: Record<string, unknown>) => RaisedSearch = texts(
  'page',
  'alert',
  'class',
  'from',
  'to',
)

export const raisedLink = (search: RaisedSearch = {}) =>
  ({ to: '/system/raised-alerts', search: withoutEmpty(search) }) satisfies LinkTarget
