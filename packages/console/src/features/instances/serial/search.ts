/** What is read of a line of the terminal: `IBufferLine` fits. */
interface BufferLine {
  readonly isWrapped: boolean
  translateToString: (trimRight?: boolean) => string
  getCell: (column: number) => { getChars: () => string; getWidth: () => number } | undefined
}

export interface Buffer {
  readonly length: number
  getLine: (row: number) => BufferLine | undefined
}

/** Where something was found, and how many cells it covers; it can go on in the rows below. */
export interface Match {
  row: number
  column: number
  cells: number
}

/** A line as it was printed, however many rows it takes on the screen. */
interface PrintedLine {
  row: number
  rows: BufferLine[]
}

function* printedLines(buffer: Buffer): Generator<PrintedLine> {
  let current: PrintedLine | undefined
  for (let row = 0; row < buffer.length; row++) {
    const line = buffer.getLine(row)
    if (!line) continue
    if (current && line.isWrapped) current.rows.push(line)
    else {
      if (current) yield current
      current = { row, rows: [line] }
    }
  }
  if (current) yield current
}

const textOf = ({ rows }: PrintedLine): string =>
  rows.map((line, index) => line.translateToString(index === rows.length - 1)).join('')

/** Everything in the buffer as text, in lines as they were printed, without the empty rest of the screen. */
export function bufferText(buffer: Buffer): string {
  const text = Array.from(printedLines(buffer), (line) => textOf(line).trimEnd()).join('\n')
  return text.trimEnd() === '' ? '' : `${text.trimEnd()}\n`
}

/** Every place of the words in the buffer, from the top, capitals or not. */
export function findMatches(buffer: Buffer, words: string, columns: number): Match[] {
  if (words === '') return []
  const pattern = new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu')
  const matches: Match[] = []
  for (const line of printedLines(buffer)) {
    const found = [...textOf(line).matchAll(pattern)]
    if (found.length === 0) continue
    const cellAt = cellsOf(line, columns)
    for (const { index, 0: text } of found) {
      const start = cellAt(index)
      matches.push({
        row: line.row + Math.floor(start / columns),
        column: start % columns,
        cells: cellAt(index + text.length) - start,
      })
    }
  }
  return matches
}

/** From places in the text of a line to cells on the screen: some characters are two cells wide, or several units. */
function cellsOf({ rows }: PrintedLine, columns: number): (index: number) => number {
  const cells: number[] = []
  for (const [at, line] of rows.entries()) {
    for (let column = 0; column < columns; column++) {
      const cell = line.getCell(column)
      if (!cell || cell.getWidth() === 0) continue
      // An empty cell reads as a space.
      for (let unit = 0; unit < Math.max(1, cell.getChars().length); unit++) cells.push(at * columns + column)
    }
  }
  return (index) => cells[index] ?? rows.length * columns
}

/** The match to go to from where one stands; both ends lead to the other. -1 where there is none. */
export function nextMatch(
  matches: readonly Match[],
  from: Pick<Match, 'row' | 'column'> | undefined,
  step: 1 | -1,
): number {
  // What was printed last is what one looks for first.
  if (!from) return matches.length - 1
  const order = ({ row, column }: Match): number => row - from.row || column - from.column
  const index =
    step === 1
      ? matches.findIndex((match) => order(match) > 0)
      : matches.findLastIndex((match) => order(match) < 0)
  if (index !== -1 || matches.length === 0) return index
  return step === 1 ? 0 : matches.length - 1
}
