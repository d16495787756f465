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
  outcome?: string | undefined
  /** One of `periods`. */
  when?: string | undefined
}

export const activitySearch: (search: Record<string, unknown>) => ActivitySearch = texts(
  'page',
  'object',
  'search',
  'by',
  'kind',
  'outcome',
  'when',
)

/** Whether anything but the object of the page narrows it. */
export const isNarrowed = ({ page: _page, object: _object, ...filters }: ActivitySearch): boolean =>
  Object.values(filters).some(Boolean)
