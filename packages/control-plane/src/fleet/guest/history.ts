export const MAX_HISTORY_LINES = 100

// Lines may be long, so their number alone does not bound the row the state is kept in. UTF-16 units.
export const MAX_HISTORY_UNITS = 12_000

/** The history after a line was entered: blank lines and repetitions of the last one are not kept. */
export function remember(history: readonly string[], line: string): string[] {
  if (line.trim() === '' || line === history.at(-1)) return [...history]
  const kept = [...history, line].slice(-MAX_HISTORY_LINES)
  let units = kept.reduce((sum, entry) => sum + entry.length, 0)
  while (units > MAX_HISTORY_UNITS) units -= kept.shift()?.length ?? units
  return kept
}
