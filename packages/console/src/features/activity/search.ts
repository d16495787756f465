import { texts } from '#/kit/list/use-list-page.ts'

/** The URL's search parameters of activity. */
export interface ActivitySearch {
  page?: string | undefined
  /** The object that it is about, by id. */
  object?: string | undefined
  /** A name, the id of an object, or the id of a request. */
  search?: string | undefined
  by?: string | undefined
  kind?: string | undefined
  action?: string | undefined
  outcome?: string | undefined
  /** One of `periods`. */
  when?: string | undefined
}

const filters = ['search', 'by', 'kind', 'action', 'outcome', 'when'] as const
/** All parameters, for pages that have others besides. */
export const activityKeys = ['page', 'object', ...filters] as const

export const activitySearch: (search: Record<string, unknown>) => ActivitySearch = texts(...activityKeys)

/** Whether anything but the object of the page narrows it. */
export const isNarrowed = (search: ActivitySearch): boolean => filters.some((key) => search[key])

export const noFilters: ActivitySearch = Object.fromEntries(
  ['page' as const, ...filters].map((key) => [key, undefined]),
)
