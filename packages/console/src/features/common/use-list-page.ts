import type { InputOf } from '@gantry/api/client/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Failure } from '#/data/failure.ts'
import { usePolling } from '#/data/live.ts'
import { type ItemOf, type ListName, type ListQuery, opQuery } from '#/data/queries.ts'
import { follow, keepTrail, type Place, placeOf, readTrail } from './page-trail.ts'

export interface PageSearch {
  /** Token of the page shown; the first has none. */
  page?: string
}

/** What a list that can be narrowed and sorted has in the URL beside the page. */
export interface FindSearch extends PageSearch {
  /** Part of a name. */
  name?: string | undefined
  state?: string | undefined
  age?: string | undefined
  /** A column, with a dash in front for the other way round. */
  sort?: string | undefined
}

/** Those of the keys that are in the URL, as texts: what reads as a number or a word of JSON comes as such. */
export const texts =
  <Key extends string>(...keys: Key[]) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(
      keys.flatMap((key) => {
        const value = search[key]
        return value ? [[key, typeof value === 'string' ? value : JSON.stringify(value)]] : []
      }),
    ) as { [Each in Key]?: string }

/** `validateSearch` of every route with a table: the place in the list lives in the URL. */
export const pageSearch: (search: Record<string, unknown>) => PageSearch = texts('page')
/** The same for lists that can be narrowed and sorted. Words that mean nothing are ignored where they are read. */
export const findSearch = texts('page', 'name', 'state', 'age', 'sort')

export interface ListPage<Item> {
  rows: readonly Item[] | undefined
  place: Place
  limit: number
  failure: Failure | null
  /** Other rows are on their way, and the old ones stay meanwhile. */
  isTurning: boolean
  isRefreshing: boolean
  updatedAt: Date | undefined
  refresh: () => void
  /** Absent where there is no such page. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

interface Options<Item> {
  /** Milliseconds between looks while the server does not tell of changes by itself. */
  poll?: (rows: readonly Item[]) => number | false
}

interface Page<Item> {
  items: Item[]
  nextPage?: string | null
}

/** The page of a list that the URL names, and the ways to its neighbours. */
export function useListPage<Name extends ListName>(
  list: ListQuery<Name>,
  { poll }: Options<ItemOf<Name>> = {},
): ListPage<ItemOf<Name>> {
  type Item = ItemOf<Name>
  const { page: token } = useSearch({ strict: false })
  const interval = usePolling(1)
  const options = list.at(token)
  const query = useQuery({
    ...options,
    placeholderData: keepPreviousData,
    refetchInterval:
      interval !== false && poll
        ? ({ state }) => poll((state.data as Page<Item> | undefined)?.items ?? [])
        : options.refetchInterval,
  })
  const page = query.data as Page<Item> | undefined
  const next = useNextToken(list, query.isPlaceholderData ? undefined : page)
  const { place, goTo } = usePlace(list, token)
  useScrollToTop(page?.items[0], token)

  return {
    rows: page?.items,
    place,
    limit: list.limit,
    failure: query.error,
    isTurning: query.isPlaceholderData,
    isRefreshing: query.isFetching,
    updatedAt: query.dataUpdatedAt ? new Date(query.dataUpdatedAt) : undefined,
    refresh: () => void query.refetch(),
    // Where the way back is unknown, the first page is a place everyone knows.
    onPrevious: token === undefined ? undefined : () => goTo(place.previous?.token),
    onNext: next === undefined ? undefined : () => goTo(next),
  }
}

/** The token is another one whenever the last row is, so that in a busy list the looks of a few minutes are hundreds. */
const nextKeptMs = 10_000

/**
 * The token of the next page if there is anything on it. Servers give a token with every page that is not empty,
 * so a full page is followed by a look at one row of the next.
 */
function useNextToken<Name extends ListName>(list: ListQuery<Name>, page: Page<unknown> | undefined) {
  const token = page && page.items.length >= list.limit ? page.nextPage : undefined
  const one = listAt(list, token ?? undefined)
  // What was so before is so until the look says otherwise, or every change of the last row would flash.
  const placeholderData = keepPreviousData
  const { data } = useQuery({ ...one, enabled: Boolean(token), gcTime: nextKeptMs, placeholderData })
  const isThere = ((data as Page<unknown> | undefined)?.items.length ?? 0) > 0
  return token && isThere ? token : undefined
}

function listAt<Name extends ListName>(list: ListQuery<Name>, pageToken: string | undefined) {
  const [, input] = list.at(pageToken).queryKey as [string, { query: object }]
  return opQuery(list.op, { ...input, query: { ...input.query, limit: 1 } } as unknown as InputOf<Name>)
}

function usePlace<Name extends ListName>(list: ListQuery<Name>, token: string | undefined) {
  const navigate = useNavigate()
  const key = JSON.stringify(list.at().queryKey)
  const trail = readTrail(key)
  return {
    place: placeOf(trail, token),
    goTo: (to: string | undefined) => {
      if (to !== undefined && !trail.includes(to)) keepTrail(key, follow(trail, token, to))
      void navigate({
        to: '.',
        search: (search) => ({ ...search, page: to }),
        // The old rows stay for a moment; the pane jumps when the new ones are there.
        resetScroll: false,
      })
    },
  }
}

/** Up to the first row once it is another one, and only after the page was turned, not on Back or a first visit. */
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
