import type { listSorts } from '@gantry/api/base/list.rules'
import type { FindSearch } from './use-list-page.ts'

type ListSort = (typeof listSorts)[number]

/** The sort keys in the URL; a leading dash reverses the order. */
export type SortKey = 'name' | 'state' | 'created'

const sortWords: Record<SortKey, 'name' | 'state' | 'time_created'> = {
  name: 'name',
  state: 'state',
  created: 'time_created',
}

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

const hour = 3_600_000
/** Age limits, in milliseconds. */
const ages = { hour, day: 24 * hour, week: 7 * 24 * hour, month: 30 * 24 * hour } as const

export const ageOptions = [
  { value: '', label: 'Any age' },
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last day' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
  { value: 'older', label: 'Older than 30 days' },
] as const

/** Rounds down to the minute, so that a repeated query has the same key. */
const minuteOf = (now: number): number => Math.floor(now / 60_000) * 60_000

function created(age: string | undefined, now: number): { createdAfter?: string; createdBefore?: string } {
  const before = (ms: number) => new Date(minuteOf(now) - ms).toISOString()
  if (age === 'older') return { createdBefore: before(ages.month) }
  return age && Object.hasOwn(ages, age) ? { createdAfter: before(ages[age as keyof typeof ages]) } : {}
}

/** The query for the URL's search parameters; ignores invalid values. */
export function findQuery<State extends string>(
  search: FindSearch,
  states: readonly State[],
  now: number,
): { name?: string; state?: State[]; sortBy?: ListSort; createdAfter?: string; createdBefore?: string } {
  const wanted = search.state?.split(',') ?? []
  const state = states.filter((each) => wanted.includes(each))
  const { key, isDescending } = sortOf(search)
  const name = search.name?.trim().slice(0, 63)
  return {
    ...(name && { name }),
    ...(state.length > 0 && { state }),
    ...created(search.age, now),
    sortBy: `${sortWords[key]}_${isDescending ? 'descending' : 'ascending'}`,
  }
}
