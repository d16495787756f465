import type { InputOf } from '@gantry/api/client/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Failure } from '#/data/failure.ts'
import { listId, useListPreference } from '#/data/list-preferences.ts'
import { usePolling } from '#/data/live.ts'
import { hasNextPage, type ItemOf, type ListName, type ListQuery, opQuery } from '#/data/queries.ts'
import { follow, saveTrail, trailKey, type TrailPosition, positionOf, readTrail } from '../page/page-trail.ts'

export interface PageSearch {
  /** Token of the page on screen; the first has none. */
  page?: string
}

/** The URL's search parameters for a list with filters and sorting. */
export interface FindSearch extends PageSearch {
  /** A text of terms (`filter-text.rules.ts`). */
  filter?: string | undefined
  /** Part of a name, in older links, as are state and age. */
  name?: string | undefined
  state?: string | undefined
  age?: string | undefined
  /** The name of a saved view that it was opened by. */
  view?: string | undefined
  /** A column; a leading dash reverses the order. */
  sort?: string | undefined
}

/** Reads these keys of the URL as strings: the router parses numbers and JSON words into other types. */
export const texts =
  <Key extends string>(...keys: Key[]) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(
      keys.flatMap((key) => {
        const value = search[key]
        return value ? [[key, typeof value === 'string' ? value : JSON.stringify(value)]] : []
      }),
    ) as { [Each in Key]?: string }

/** `validateSearch` of every route with a table: the page token lives in the URL. */
export const pageSearch: (search: Record<string, unknown>) => PageSearch = texts('page')
/** The same for lists with filters and sorting. Invalid values are ignored when read. */
export const findSearch = texts('page', 'filter', 'name', 'state', 'age', 'sort', 'view')

export interface ListPage<Item> {
  /** What its user's preferences are kept by. */
  id: string
  rows: readonly Item[] | undefined
  position: TrailPosition
  /** Rows per page; undefined for a list without pages. */
  limit: number | undefined
  failure: Failure | null
  /** The next rows are loading, and the old ones stay on screen. */
  isTurning: boolean
  isRefreshing: boolean
  updatedAt: Date | undefined
  refresh: () => void
  /** Until when the page was searched, where that is not the end of the list. */
  timeSearched?: Date | undefined
  /** The token of what follows. */
  nextPage?: string | undefined
  /** Absent on the first page. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

interface Options<Item> {
  /** Poll interval in milliseconds while the change stream is not live. */
  poll?: (rows: readonly Item[]) => number | false
}

interface Page<Item> {
  items: Item[]
  nextPage?: string | null
  timeSearched?: Date | null
}

/** The list page that the URL names, with navigation to the next and previous one. */
export function useListPage<Name extends ListName>(
  list: ListQuery<Name>,
  { poll }: Options<ItemOf<Name>> = {},
): ListPage<ItemOf<Name>> {
  type Item = ItemOf<Name>
  const { page: token } = useSearch({ strict: false })
  const id = listId(list.op)
  // Another page size is another query.
  useListPreference(id)
  const interval = usePolling(1)
  const options = list.at(token)
  const query = useQuery({
    ...options,
    placeholderData: keepPreviousData,
    // The loader has just asked.
    retryOnMount: false,
    refetchInterval:
      interval !== false && poll
        ? ({ state }) => poll((state.data as Page<Item> | undefined)?.items ?? [])
        : options.refetchInterval,
  })
  const page = query.data as Page<Item> | undefined
  const next = useNextToken(list, query.isPlaceholderData ? undefined : page, hasNextPage(options.queryKey))
  const { position, goTo } = useTrailPosition(list, token)
  useScrollToTop(page?.items[0], token)

  return {
    id,
    rows: page?.items,
    position,
    limit: list.limit,
    failure: query.error,
    isTurning: query.isPlaceholderData,
    isRefreshing: query.isFetching,
    updatedAt: query.dataUpdatedAt ? new Date(query.dataUpdatedAt) : undefined,
    refresh: () => void query.refetch(),
    timeSearched: page?.timeSearched ?? undefined,
    nextPage: next,
    // Where the trail is unknown, Previous goes to the first page.
    onPrevious: token === undefined ? undefined : () => goTo(position.previous?.token),
    onNext: next === undefined ? undefined : () => goTo(next),
  }
}

/** The token changes with the last row, so a busy list would collect hundreds of these queries within minutes. */
const nextCacheMs = 10_000

/**
 * The token of the next page, if that page has rows or is to be searched. Servers send a token with every page that is
 * not empty; where they do not tell more, a full page needs a query for one row of the next.
 */
function useNextToken<Name extends ListName>(
  list: ListQuery<Name>,
  page: Page<unknown> | undefined,
  isKnown: boolean | undefined,
) {
  const token = page && (isKnown || page.items.length >= list.limit) ? page.nextPage : undefined
  const one = listAt(list, token ?? undefined)
  // Keeps the previous answer until the next one, or Next would flash on every change of the last row.
  const placeholderData = keepPreviousData
  const enabled = Boolean(token) && isKnown === undefined
  const { data } = useQuery({ ...one, enabled, gcTime: nextCacheMs, placeholderData })
  const hasRows = isKnown ?? ((data as Page<unknown> | undefined)?.items.length ?? 0) > 0
  return token && hasRows ? token : undefined
}

function listAt<Name extends ListName>(list: ListQuery<Name>, pageToken: string | undefined) {
  const [, input] = list.at(pageToken).queryKey as [string, { query: object }]
  return opQuery(list.op, { ...input, query: { ...input.query, limit: 1 } } as unknown as InputOf<Name>)
}

function useTrailPosition<Name extends ListName>(list: ListQuery<Name>, token: string | undefined) {
  const navigate = useNavigate()
  const { age } = useSearch({ strict: false })
  const key = trailKey(list.at().queryKey, age)
  const trail = readTrail(key)
  return {
    position: positionOf(trail, token),
    goTo: (to: string | undefined) => {
      if (to !== undefined && !trail.includes(to)) saveTrail(key, follow(trail, token, to))
      void navigate({
        to: '.',
        search: (search: object) => ({ ...search, page: to }),
        // The old rows stay for a moment; the pane scrolls up when the new ones arrive.
        resetScroll: false,
      })
    },
  }
}

/** Scrolls to the top once the first row changes, but only after a page turn, not after Back or on the first visit. */
function useScrollToTop(firstRow: unknown, token: string | undefined): void {
  const shown = useRef({ firstRow, token, isTurned: false })
  useEffect(() => {
    const last = shown.current
    if (last.token !== token) shown.current = { firstRow: last.firstRow, token, isTurned: true }
    if (shown.current.isTurned && last.firstRow !== firstRow && firstRow !== undefined) {
      document.getElementById('content')?.scrollTo({ top: 0 })
      shown.current = { firstRow, token, isTurned: false }
    }
    if (!shown.current.isTurned) shown.current.firstRow = firstRow
  }, [firstRow, token])
}
