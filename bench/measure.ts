import { performance } from 'node:perf_hooks'

export interface Times {
  p10: number
  p50: number
  p95: number
  p99: number
  perSecond: number
}

/** Statistics of single calls in milliseconds, and of all together. */
export function summary(taken: number[], totalMs: number): Times {
  taken.sort((a, b) => a - b)
  const at = (share: number): number => taken[Math.floor(taken.length * share)] ?? 0
  return {
    p10: at(0.1),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    perSecond: (taken.length / totalMs) * 1000,
  }
}

/** Milliseconds of each of `rounds` sequential calls, after a warm-up. */
export async function time(rounds: number, call: (round: number) => Promise<unknown>): Promise<Times> {
  for (let round = 0; round < Math.min(200, rounds); round++) await call(round)
  const taken: number[] = []
  const begin = performance.now()
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await call(round)
    taken.push(performance.now() - start)
  }
  return summary(taken, performance.now() - begin)
}

/** Calls of each kind that follow each other, so that none begins with the other's caches. */
const turn = 50

/** Times of several kinds of calls that take turns, after a warm-up: what slows the machine slows all alike. */
export async function inTurns<Name extends string>(
  rounds: number,
  calls: Record<Name, (round: number) => Promise<unknown>>,
): Promise<Record<Name, Times>> {
  const names = Object.keys(calls) as Name[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  const total = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  for (let first = -Math.min(200, rounds); first < rounds; first += turn)
    for (const name of names) {
      const begin = performance.now()
      for (let round = first; round < first + turn; round++) {
        const start = performance.now()
        await calls[name](Math.abs(round))
        if (first >= 0) taken[name].push(performance.now() - start)
      }
      if (first >= 0) total[name] += performance.now() - begin
    }
  return Object.fromEntries(names.map((name) => [name, summary(taken[name], total[name])])) as Record<
    Name,
    Times
  >
}

export const ms = (value: number): string => `${value.toFixed(2)} ms`

export function table(rows: Record<string, string | number>[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => String(row[column]).length)),
  )
  const line = (cells: string[]): string =>
    cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')
  console.log(line(columns))
  for (const row of rows) console.log(line(columns.map((column) => String(row[column]))))
}

/** The same as a Markdown table. */
export function markdown(rows: Record<string, string | number>[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: (string | number)[]): string => `| ${cells.join(' | ')} |`
  return [
    line(columns),
    line(columns.map((_, index) => (index === 0 ? '---' : '--:'))),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
  ].join('\n')
}
