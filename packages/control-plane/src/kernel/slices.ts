/** Rows that one statement fetches at most, so that no answer of the database is large. */
const sliceRows = 1000
/** Characters of text in the rows of one page: ten times what ten thousand ordinary rows have. */
const pageChars = 32 * 1024 * 1024

/**
 * The rows of a page, fetched in slices. A page ends early when its rows hold more than a page may; its token goes on
 * behind them, so nothing is skipped.
 */
export async function inSlices<Item extends object>(
  limit: number,
  fetch: (after: Item | undefined, count: number) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const rows: Item[] = []
  let chars = 0
  while (rows.length < limit && chars < pageChars) {
    const count = Math.min(sliceRows, limit - rows.length)
    const slice = await fetch(rows.at(-1), count)
    for (const row of slice) {
      rows.push(row)
      chars += charsOf(row)
      if (chars >= pageChars) break
    }
    if (slice.length < count) break
  }
  return rows
}

function charsOf(row: object): number {
  let chars = 0
  for (const value of Object.values(row)) if (typeof value === 'string') chars += value.length
  return chars
}
