/** The fields of a terminal line that the text needs; compatible with `IBufferLine`. */
interface BufferLine {
  readonly isWrapped: boolean
  translateToString: (trimRight?: boolean) => string
}

export interface Buffer {
  readonly length: number
  getLine: (row: number) => BufferLine | undefined
}

/** The whole buffer as text, in lines as printed, without the empty rest of the screen. */
export function bufferText(buffer: Buffer): string {
  const text = Array.from(printedLines(buffer), (line) => textOf(line).trimEnd()).join('\n')
  return text.trimEnd() === '' ? '' : `${text.trimEnd()}\n`
}

/** The rows of each printed line, because the terminal wraps long ones. */
function* printedLines(buffer: Buffer): Generator<BufferLine[]> {
  let rows: BufferLine[] = []
  for (let row = 0; row < buffer.length; row++) {
    const line = buffer.getLine(row)
    if (!line) continue
    if (line.isWrapped) rows.push(line)
    else {
      if (rows.length > 0) yield rows
      rows = [line]
    }
  }
  if (rows.length > 0) yield rows
}

const textOf = (rows: BufferLine[]): string =>
  rows.map((line, index) => line.translateToString(index === rows.length - 1)).join('')
