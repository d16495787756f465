/** Rows per statement, to bound the size of a result. */
const sliceRows = 1000
/** Maximum characters of text on one page: ten times that of ten thousand ordinary rows. */
const pageChars = 32 * 1024 * 1024

/**
 * The rows of a page, fetched in slices. A page ends early when its rows exceed the size limit; its token
 * continues after them, so nothing is skipped. Each slice fetches one more row, which shows whether any follow.
 */
export async function inSlices<Item extends object>(
  limit: number,
  fetch: (after: Item | undefined, count: number) => Promise<readonly Item[]>,
): Promise<{ rows: Item[]; hasMore: boolean }> {
  const rows: Item[] = []
  let chars = 0
  while (rows.length < limit) {
    const count = Math.min(sliceRows, limit - rows.length)
    const slice = await fetch(rows.at(-1), count + 1)
    for (const [at, row] of slice.slice(0, count).entries()) {
      rows.push(row)
      chars += charsOf(row)
      if (chars >= pageChars) return { rows, hasMore: at + 1 < slice.length }
    }
    if (slice.length <= count) return { rows, hasMore: false }
  }
  return { rows, hasMore: limit > 0 }
}

function charsOf(row: object): number {
  let chars = 0
  for (const value of Object.values(row)) if (typeof value === 'string') chars += value.length
  return chars
}
