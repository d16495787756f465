/** What a text console shows: rows of characters, and where the next one goes. */
export interface TextGrid {
  readonly columns: number
  readonly rows: number
  /** The character at a place; a blank where there is none. */
  at: (row: number, column: number) => string
  cursor: () => { row: number; column: number }
  /** Prints what a serial line brings. */
  write: (text: string) => void
}

/** A sequence of control characters, complete or not yet. */
const SEQUENCE = /^.(?:\[([?0-9;]*)([@-~])|[^[])/s
/** Longer than any sequence of a guest here. */
const SEQUENCE_MAX = 32

/**
 * A text console that understands what simulated guests print: lines, the cursor, and erasing. Other sequences have no
 * effect.
 */
export function textGrid(columns: number, rows: number): TextGrid {
  const blankRow = (): string[] => Array.from({ length: columns }, () => ' ')
  let lines = Array.from({ length: rows }, blankRow)
  let [row, column] = [0, 0]
  let pending = ''

  const newLine = (): void => {
    if (row < rows - 1) row++
    else lines = [...lines.slice(1), blankRow()]
  }
  const print = (character: string): void => {
    if (column === columns) {
      column = 0
      newLine()
    }
    const line = lines[row]
    if (line) line[column] = character
    column++
  }
  const back = (): void => {
    if (column > 0) column--
    // Guests step back over the beginning of a wrapped line.
    else if (row > 0) [row, column] = [row - 1, columns - 1]
  }
  const erase = (from: number, to: number): void => {
    lines[row]?.fill(' ', from, to)
  }
  const control = (letter: string, numbers: readonly number[]): void => {
    const count = Math.max(1, numbers[0] ?? 1)
    switch (letter) {
      case 'A':
        row = Math.max(0, row - count)
        break
      case 'B':
        row = Math.min(rows - 1, row + count)
        break
      case 'C':
        column = Math.min(columns - 1, column + count)
        break
      case 'D':
        column = Math.max(0, column - count)
        break
      case 'H':
        row = Math.min(rows, count) - 1
        column = Math.min(columns, Math.max(1, numbers[1] ?? 1)) - 1
        break
      case 'J':
        if (numbers[0] === 2) lines = Array.from({ length: rows }, blankRow)
        else {
          erase(column, columns)
          for (const line of lines.slice(row + 1)) line.fill(' ')
        }
        break
      case 'K':
        erase(column, columns)
        break
      default:
    }
  }

  return {
    columns,
    rows,
    at: (at, place) => lines[at]?.[place] ?? ' ',
    cursor: () => ({ row, column: Math.min(column, columns - 1) }),
    write(text) {
      const whole = pending + text
      pending = ''
      for (let at = 0; at < whole.length;) {
        const character = String.fromCodePoint(whole.codePointAt(at) ?? 0)
        if (character === '\x1b') {
          const rest = whole.slice(at, at + SEQUENCE_MAX)
          const sequence = SEQUENCE.exec(rest)
          if (!sequence && rest.length < SEQUENCE_MAX) {
            pending = rest
            return
          }
          const [all = '\x1b', numbers = '', letter = ''] = sequence ?? []
          control(letter, numbers.split(';').map(Number))
          at += all.length
          continue
        }
        at += character.length
        if (character === '\r') column = 0
        else if (character === '\n') newLine()
        else if (character === '\b') back()
        else if (character === '\t') column = Math.min(columns - 1, (Math.floor(column / 8) + 1) * 8)
        else if (character >= ' ') print(character)
      }
    },
  }
}
