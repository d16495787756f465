import { performance } from 'node:perf_hooks'

export interface Times {
  p50: number
  p95: number
  p99: number
  perSecond: number
}

/** Statistics of single calls in milliseconds, and of all together. */
export function summary(taken: number[], totalMs: number): Times {
  taken.sort((a, b) => a - b)
  const at = (share: number): number => taken[Math.floor(taken.length * share)] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), perSecond: (taken.length / totalMs) * 1000 }
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
