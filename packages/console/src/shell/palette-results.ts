import * as op from '@gantry/api/client/operations.gen'
import { searchMax } from '@gantry/api/extensions.rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { isAbsent } from '#/data/extensions.ts'
import { opQuery } from '#/data/queries.ts'
import { fuzzyFilter, fuzzyMatch } from '#/kit/list/fuzzy.ts'
import { hrefOf } from '#/kit/links/link-target.ts'
import type { Level, PaletteItem, Registered } from '#/kit/page/palette-items.ts'
import { useDebounced } from '#/kit/inputs/use-debounced.ts'
import { readings } from './palette-words.ts'
import { paletteItemOf } from './registry.tsx'
import { useDocsItems } from './use-docs-items.ts'
import { useFilterItems } from './use-filter-items.ts'

export type Result = PaletteItem & {
  /** Positions of matched letters, for highlighting. */
  at: readonly number[]
}

const debounceMs = 150
const maxHits = 10

interface Results {
  results: Result[]
  /** Results from the server are pending. */
  isSearching: boolean
}

/** The items that match the text, and the server's matches by name; groups are in the order of their best match. */
export function useResults(typed: string, items: readonly PaletteItem[]): Results {
  const found = matchesOf(typed, items)
  // An object that the page lists under its name may be found by something else, such as its address.
  const shownKeys = new Set(found.map(keyOf))
  const { hits, isSearching, isCurrent } = useHits(typed.trim())
  const filters = useFilterItems(typed.trim())
  const documents = useDocsItems(typed.trim())
  const newHits = hits.filter((hit) => !shownKeys.has(keyOf(hit)))
  // Keeps previous hits that still match, so that the list does not empty with every letter.
  const matching = newHits.flatMap((hit) => {
    const match = fuzzyMatch(typed, hit.label)
    if (match) return [{ ...hit, at: match.at }]
    return hit.isFound && isCurrent ? [{ ...hit, at: [] }] : []
  })
  const others = [...filters, ...documents].map((item) => ({ ...item, at: [] }))
  return { results: byGroup([...found, ...matching, ...others]), isSearching }
}

/**
 * Items by what is typed, then by the same in other words. An object that was opened before may also be in the list of
 * the page.
 */
function matchesOf(typed: string, items: readonly PaletteItem[]): Result[] {
  const found = new Map<PaletteItem | string, Result>()
  readings(typed).forEach((text, reading) => {
    for (const { item, at } of fuzzyFilter(text, items, ({ label }) => label)) {
      const key = keyOf(item) ?? item
      if (!found.has(key)) found.set(key, { ...item, at: reading === 0 ? at : [] })
    }
  })
  return [...found.values()]
}

/** Includes the label, because disks share their list's page. */
const keyOf = ({ label, link }: PaletteItem): string | undefined => link && `${label} ${hrefOf(link)}`

/** Keeps the items of a group together, however well each matches. */
function byGroup(results: readonly Result[]): Result[] {
  const groups = new Map<string, Result[]>()
  for (const result of results) {
    const group = result.group ?? 'Actions'
    groups.set(group, [...(groups.get(group) ?? []), result])
  }
  return [...groups.values()].flat()
}

function useHits(typed: string): { hits: PaletteItem[]; isSearching: boolean; isCurrent: boolean } {
  const text = useDebounced(typed, debounceMs)
  const isAsked = typed !== '' && typed.length <= searchMax && !isAbsent(op.search)
  const { data, isFetching, isPlaceholderData } = useQuery({
    ...opQuery(op.search, { query: { text, limit: maxHits } }),
    enabled: isAsked && text !== '' && text.length <= searchMax,
    placeholderData: keepPreviousData,
  })
  const hits = isAsked ? (data?.items ?? []) : []
  return {
    hits: hits.flatMap((hit) => paletteItemOf(hit) ?? []),
    isSearching: isAsked && (isFetching || text !== typed),
    isCurrent: text === typed && !isPlaceholderData,
  }
}

/** Items of the page come before those of its layout; global ones are last. */
const order: readonly Level[] = ['page', 'layout', 'global']

/** All items in display order, without the one for the current path and without duplicate labels in a group. */
export function paletteItems(registered: readonly Registered[], currentPath: string): PaletteItem[] {
  const all = order.flatMap((wanted) =>
    registered.filter(({ level }) => level === wanted).flatMap(({ items }) => items),
  )
  const unique = new Map(all.map((item) => [`${item.group ?? ''} ${item.label}`, item]))
  const others = [...unique.values()].filter(({ link }) => !link || hrefOf(link) !== currentPath)
  return [...others.filter(({ group }) => !group), ...others.filter(({ group }) => group)]
}
