import { filterOf } from './filter/filter-of.ts'
import type { FindSearch } from './use-list-page.ts'

/** The sort keys in the URL; a leading dash reverses the order. */
export type SortKey =
  | 'name'
  | 'state'
  | 'created'
  | 'cpu'
  | 'memory'
  | 'size'
  | 'ip'
  | 'ip-block'
  | 'kind'
  | 'what'
  | 'identity-mode'
  | 'version'

const sortWords = {
  name: 'name',
  state: 'state',
  created: 'time_created',
  cpu: 'ncpus',
  memory: 'memory',
  size: 'size',
  ip: 'ip_key',
  'ip-block': 'ipv4_first',
  kind: 'kind',
  what: 'action',
  'identity-mode': 'identity_mode',
  version: 'ip_version',
} as const satisfies Record<SortKey, string>
export const sortKeys = Object.keys(sortWords) as SortKey[]

export interface Sort {
  key: SortKey
  isDescending: boolean
}

/** The order that the URL gives; by name if it gives no valid one. */
export function sortOf({ sort = '' }: FindSearch): Sort {
  const isDescending = sort.startsWith('-')
  const word = isDescending ? sort.slice(1) : sort
  return Object.hasOwn(sortWords, word)
    ? { key: word as SortKey, isDescending }
    : { key: 'name', isDescending: false }
}

/** The order in the URL; undefined for the default order. */
export function sortWord({ key, isDescending }: Sort): string | undefined {
  if (key === 'name' && !isDescending) return undefined
  return `${isDescending ? '-' : ''}${key}`
}

/** The order after a press on a column head: that column, or its reverse if already sorted by it. */
export const sortedBy = (now: Sort, key: SortKey): Sort => ({
  key,
  isDescending: now.key === key && !now.isDescending,
})

/** The query for the URL's search parameters; an invalid order is ignored. */
export function findQuery(search: FindSearch): { filter?: string; sortBy?: string } {
  const filter = filterOf(search)
  const { key, isDescending } = sortOf(search)
  return {
    ...(filter && { filter }),
    // Without an order in the URL, the filter can name one.
    ...(search.sort && { sortBy: `${sortWords[key]}_${isDescending ? 'descending' : 'ascending'}` }),
  }
}
