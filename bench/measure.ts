import { performance } from 'node:perf_hooks'

export interface Times {
  p50: number
  p95: number
  perSecond: number
}

/** Milliseconds of each of `rounds` calls, one after the other, behind a warm-up. */
export async function time(rounds: number, call: (round: number) => Promise<unknown>): Promise<Times> {
  for (let round = 0; round < Math.min(200, rounds); round++) await call(round)
  const taken: number[] = []
  const begin = performance.now()
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await call(round)
    taken.push(performance.now() - start)
  }
  const total = performance.now() - begin
  taken.sort((a, b) => a - b)
  const at = (share: number): number => taken[Math.floor(taken.length * share)] ?? 0
  return { p50: at(0.5), p95: at(0.95), perSecond: (rounds / total) * 1000 }
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
