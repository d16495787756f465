import { timeseriesQueryMax } from '@gantry/api/metric.rules'

const historyMax = 20

/** The queries that one user of this browser ran last. */
export const queryHistory = (user: string) => {
  const key = `gantry-query-history ${user}`
  /** The newest first. */
  const all = (): string[] => read(key).slice(0, historyMax)
  return {
    all,
    add(query: string): void {
      const others = read(key).filter((each) => each !== query)
      write(key, [query, ...others].slice(0, historyMax))
    },
  }
}

const isQuery = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= timeseriesQueryMax

/** What else is stored there, by an older console or by hand, is left out. */
function read(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isQuery) : []
  } catch {
    return []
  }
}

/** Storage can be full or forbidden; the history is then shorter. */
function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    return
  }
}
