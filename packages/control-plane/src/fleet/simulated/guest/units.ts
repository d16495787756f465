const letters = ['B', 'K', 'M', 'G', 'T', 'P']

function scaled(bytes: number): { value: number; letter: string } {
  let value = bytes
  let step = 0
  while (value >= 1024 && step < letters.length - 1) {
    value /= 1024
    step++
  }
  return { value, letter: letters[step] ?? '' }
}

/** Like lsblk: one decimal, omitted when zero (`40G`, `39.9G`). */
export function blockSize(bytes: number): string {
  const { value, letter } = scaled(bytes)
  return `${value.toFixed(1).replace(/\.0$/, '')}${letter}`
}

/** Like df -h: rounded up, with a decimal only below ten (`1.9G`, `40G`). */
export function diskUsage(bytes: number): string {
  const { value, letter } = scaled(bytes)
  if (letter === 'B') return value === 0 ? '0' : `${value}`
  const tenths = Math.ceil(value * 10) / 10
  return tenths < 10 ? `${tenths.toFixed(1)}${letter}` : `${Math.ceil(value)}${letter}`
}

/** Like free -h: truncated, with a decimal only below ten (`3.8Gi`, `412Mi`). */
export function memoryUsage(bytes: number): string {
  const { value, letter } = scaled(bytes)
  if (letter === 'B') return `${value}B`
  const tenths = Math.floor(value * 10) / 10
  return tenths < 10 ? `${tenths.toFixed(1)}${letter}i` : `${Math.floor(value)}${letter}i`
}

/** Pads columns to the widest cell; the named columns are right-aligned, and nothing trails. */
export function table(rows: readonly (readonly string[])[], alignedRight: readonly number[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return alignedRight.includes(column) ? cell.padStart(width) : cell.padEnd(width)
      })
      .join(' ')
      .trimEnd(),
  )
}
