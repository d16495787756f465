import { isLonger } from '@gantry/api/base/text.rules'
import { timeseriesQueryMax } from '@gantry/api/metrics/metric.rules'

const historyMax = 20

/** The last queries of a user in this browser. */
export const queryHistory = (user: string) => {
  const key = `gantry-query-history ${user}`
  /** Newest first. */
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
  typeof value === 'string' && value !== '' && !isLonger(value, timeseriesQueryMax)

/** Skips entries of another form, left by an older console or edited by hand. */
function read(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isQuery) : []
  } catch {
    return []
  }
}

/** Storage can be full or forbidden; the entry is then lost. */
function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    return
  }
}
