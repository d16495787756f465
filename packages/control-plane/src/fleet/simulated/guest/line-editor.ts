import type { Key, NamedKey } from './keys.ts'

/** The input line; the cursor counts code points and is never inside a combined character. */
export interface Line {
  text: string
  cursor: number
}

export interface Edited {
  line: Line
  /** Terminal output that shows the new line. */
  output: string
}

export const MAX_LINE_CODE_POINTS = 1024
export const BELL = '\x07'
export const emptyLine: Line = { text: '', cursor: 0 }

// Erases to the end of the screen rather than the row, to cover a wrapped line.
const ERASE_REST = '\x1b[J'

type EditKey = Extract<
  NamedKey,
  'backspace' | 'delete' | 'left' | 'right' | 'home' | 'end' | 'kill-before' | 'kill-after' | 'kill-word'
>

type Edit = (chars: string[], cursor: number) => Edited

const edits: Record<EditKey, Edit> = {
  left: (chars, cursor) => moveTo(chars, cursor, previous(chars, cursor)),
  right: (chars, cursor) => moveTo(chars, cursor, next(chars, cursor)),
  home: (chars, cursor) => moveTo(chars, cursor, 0),
  end: (chars, cursor) => moveTo(chars, cursor, chars.length),
  backspace: (chars, cursor) => remove(chars, cursor, previous(chars, cursor), cursor),
  delete: (chars, cursor) => remove(chars, cursor, cursor, next(chars, cursor)),
  'kill-before': (chars, cursor) => remove(chars, cursor, 0, cursor),
  'kill-after': (chars, cursor) => remove(chars, cursor, cursor, chars.length),
  'kill-word': (chars, cursor) => remove(chars, cursor, wordStart(chars, cursor), cursor),
}

/** The line after an editing key, or `undefined` for any other key. */
export function edit(line: Line, key: Key): Edited | undefined {
  if (typeof key === 'object') return insert(line, key.text)
  return key in edits ? edits[key as EditKey](codePoints(line.text), line.cursor) : undefined
}

export function insert(line: Line, text: string): Edited {
  // A text never has more code points than units, so here the cursor is at the end, as in most typing.
  if (
    line.cursor === line.text.length &&
    line.cursor > 0 &&
    line.cursor + text.length <= MAX_LINE_CODE_POINTS
  )
    return { line: { text: line.text + text, cursor: line.cursor + codePoints(text).length }, output: text }
  const chars = codePoints(line.text)
  const added = codePoints(text)
  // A leading combining mark would attach to the prompt, where it cannot be deleted.
  const isStray = line.cursor === 0 && isCombining(added[0])
  if (isStray || chars.length + added.length > MAX_LINE_CODE_POINTS) return { line, output: BELL }
  const tail = chars.slice(line.cursor)
  chars.splice(line.cursor, 0, ...added)
  return {
    line: { text: chars.join(''), cursor: line.cursor + added.length },
    output: text + tail.join('') + back(tail),
  }
}

/** Replaces the line with another text, and puts the cursor at its end. */
export function replaceLine(line: Line, text: string): Edited {
  const before = codePoints(line.text).slice(0, line.cursor)
  return {
    line: { text, cursor: codePoints(text).length },
    output: back(before) + ERASE_REST + text,
  }
}

/** The line as written after a fresh prompt. */
export function redraw(line: Line): string {
  return line.text + back(codePoints(line.text).slice(line.cursor))
}

export function codePoints(text: string): string[] {
  return Array.from(text)
}

function moveTo(chars: string[], from: number, to: number): Edited {
  // Moves right by rewriting the characters, which also works across the edge of a row.
  const output = to < from ? back(chars.slice(to, from)) : chars.slice(from, to).join('')
  return { line: { text: chars.join(''), cursor: to }, output }
}

function remove(chars: string[], cursor: number, from: number, to: number): Edited {
  if (from === to) return { line: { text: chars.join(''), cursor }, output: '' }
  const tail = chars.slice(to)
  return {
    line: { text: [...chars.slice(0, from), ...tail].join(''), cursor: from },
    output: back(chars.slice(from, cursor)) + ERASE_REST + tail.join('') + back(tail),
  }
}

function previous(chars: string[], cursor: number): number {
  let at = Math.max(0, cursor - 1)
  while (at > 0 && isCombining(chars[at])) at--
  return at
}

function next(chars: string[], cursor: number): number {
  let at = Math.min(chars.length, cursor + 1)
  while (at < chars.length && isCombining(chars[at])) at++
  return at
}

function wordStart(chars: string[], cursor: number): number {
  let at = cursor
  while (at > 0 && chars[previous(chars, at)] === ' ') at = previous(chars, at)
  while (at > 0 && chars[previous(chars, at)] !== ' ') at = previous(chars, at)
  return at
}

function back(chars: string[]): string {
  return '\b'.repeat(chars.filter((char) => !isCombining(char)).length)
}

function isCombining(char: string | undefined): boolean {
  return char !== undefined && /^\p{M}$/u.test(char)
}
