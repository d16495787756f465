import { timeseriesQueryMax } from '@gantry/api/metric.rules'

/** A query that somebody gave a name. */
export interface SavedQuery {
  name: string
  query: string
}

const historyMax = 20
export const savedMax = 50
export const nameMax = 63

/** Queries of one user of this browser. */
export const queryRecords = (user: string) => {
  const historyKey = `gantry-query-history ${user}`
  const savedKey = `gantry-saved-queries ${user}`
  const saved = () => read(savedKey, isSaved).slice(0, savedMax)
  return {
    /** The newest first. */
    history: (): string[] => read(historyKey, isQuery).slice(0, historyMax),
    addToHistory(query: string): void {
      const others = read(historyKey, isQuery).filter((each) => each !== query)
      write(historyKey, [query, ...others].slice(0, historyMax))
    },
    /** By name. */
    saved,
    /** Replaces the one of this name. */
    save(query: SavedQuery): 'saved' | 'full' | 'forbidden' {
      const others = saved().filter(({ name }) => name !== query.name)
      if (others.length >= savedMax) return 'full'
      const all = [...others, query].toSorted((one, other) => one.name.localeCompare(other.name))
      return write(savedKey, all) ? 'saved' : 'forbidden'
    },
    remove: (name: string): void =>
      void write(
        savedKey,
        saved().filter((each) => each.name !== name),
      ),
  }
}

const isQuery = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= timeseriesQueryMax

function isSaved(value: unknown): value is SavedQuery {
  const { name, query } = (value ?? {}) as Partial<Record<keyof SavedQuery, unknown>>
  return typeof name === 'string' && name !== '' && name.length <= nameMax && isQuery(query)
}

/** What else is stored there, by an older console or by hand, is left out. */
function read<Item>(key: string, is: (value: unknown) => value is Item): Item[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(is) : []
  } catch {
    return []
  }
}

/** Storage can be full or forbidden. */
function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
