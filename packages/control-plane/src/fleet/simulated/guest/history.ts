export const MAX_HISTORY_LINES = 100

// Limits the stored history in UTF-16 units: lines may be long, so their number alone does not bound the row.
export const MAX_HISTORY_UNITS = 12_000

/** The history after entering a line: blank lines and repeats of the last one are dropped. */
export function remember(history: readonly string[], line: string): string[] {
  if (line.trim() === '' || line === history.at(-1)) return [...history]
  const kept = [...history, line].slice(-MAX_HISTORY_LINES)
  let units = kept.reduce((sum, entry) => sum + entry.length, 0)
  while (units > MAX_HISTORY_UNITS) units -= kept.shift()?.length ?? units
  return kept
}
