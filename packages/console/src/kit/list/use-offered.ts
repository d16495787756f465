import type { InputOf, OpRef } from '@gantry/api/client/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '#/data/client.ts'
import type { Failure } from '#/data/failure.ts'
import type { Fallback } from '#/data/fallback.ts'
import { useDebounced } from '../inputs/use-debounced.ts'
import { type ItemOf, type ListName, opQuery, readAll } from '#/data/queries.ts'

/** What a picker offers: the objects of a kind in a project, or those of them that match a filter. */
export interface Offer<Name extends ListName> {
  plain: OpRef<Name>
  /** The same with filters. */
  sorted: OpRef<ListName>
  project: string
  filter?: string
}

/** All that a picker reads before anything is typed; where there is more, the server searches what is typed. */
const readAtOnce = 1000
const foundAtOnce = 100
const searchDebounceMs = 150

interface Page<Item> {
  items: Item[]
  nextPage?: string | null
}

export interface Offered<Item> {
  data: Item[] | undefined
  error: Failure | null
  isPending: boolean
  fetchStatus: 'fetching' | 'paused' | 'idle'
  refetch: () => unknown
  /** Searches on the server, where not everything could be read at once. */
  onSearch: ((text: string) => void) | undefined
  /** Whether there is more than is offered. */
  hasMore: boolean
}

/**
 * The options of a picker. Everything, if that is one page; otherwise the first page, and what the server finds of the
 * typed text. On servers without filters, everything is read.
 */
export function useOffered<Name extends ListName>(
  offer: Offer<Name>,
  isEnabled = true,
): Offered<ItemOf<Name>> {
  type Item = ItemOf<Name> & { id: string }
  const [text, setText] = useState('')
  /** What earlier texts found, of which one can be selected. */
  const [earlier, setEarlier] = useState<readonly Item[]>([])
  const first = useQuery({ ...pageOf<Name>(offer, offer.filter, readAtOnce), enabled: isEnabled })
  const isSearched = isMore(first.data, readAtOnce)
  const typed = isSearched ? partOfName(text) : ''
  const asked = useDebounced(typed, searchDebounceMs)
  const isAskedSoon = typed !== '' && asked !== typed
  const wanted = typed === '' ? '' : asked
  const filter = [offer.filter, `name:*${wanted}*`].filter(Boolean).join(' ')
  const found = useQuery({
    ...pageOf<Name>(offer, filter, foundAtOnce),
    enabled: isEnabled && wanted !== '',
    placeholderData: keepPreviousData,
  })
  const items = itemsOf<Item>(first.data)
  const foundItems = wanted === '' ? [] : itemsOf<Item>(found.data)
  const byId = new Map([...items, ...earlier, ...foundItems].map((item) => [item.id, item]))
  return {
    data: first.data && [...byId.values()],
    error: first.error ?? (wanted === '' ? null : found.error),
    isPending: first.isPending || isAskedSoon || (wanted !== '' && found.isFetching),
    fetchStatus: isAskedSoon ? 'fetching' : wanted === '' ? first.fetchStatus : found.fetchStatus,
    refetch: first.error ? first.refetch : found.refetch,
    onSearch: isSearched
      ? (next) => {
          setEarlier([...new Map([...earlier, ...foundItems].map((item) => [item.id, item])).values()])
          setText(next)
        }
      : undefined,
    hasMore: wanted === '' ? isSearched : found.isFetching || isMore(found.data, foundAtOnce),
  }
}

/** The part of a typed text that names can have: with anything else in it, none is meant. */
const partOfName = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9-]/g, '')

const isMore = (page: unknown, limit: number): boolean => {
  const { items, nextPage } = (page ?? { items: [] }) as Page<unknown>
  return items.length === limit && Boolean(nextPage)
}

const itemsOf = <Item>(page: unknown): Item[] => (page as Page<Item> | undefined)?.items ?? []

function pageOf<Name extends ListName>(
  { plain, sorted, project }: Offer<Name>,
  filter: string | undefined,
  limit: number,
) {
  // The rows have the same type; only the operation differs.
  const input: InputOf<ListName> = { path: {}, query: { project, limit, ...(filter && { filter }) } }
  const everything: Fallback<ListName> = async (_, { signal = new AbortController().signal }) => {
    const items = await readAll(plain, { query: { project } } as unknown as InputOf<Name>, signal)
    return { data: { items }, etag: undefined } as unknown as Answer<ListName>
  }
  return opQuery(sorted, input, everything)
}
