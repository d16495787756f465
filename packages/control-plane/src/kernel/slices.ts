/** Maximum rows per statement, to bound the size of a result. */
const sliceRows = 1000
/** Maximum characters of text on one page: ten times that of ten thousand ordinary rows. */
const pageChars = 32 * 1024 * 1024

/**
 * The rows of a page, fetched in slices. A page ends early when its rows exceed the size limit; its token
 * continues after them, so nothing is skipped.
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
