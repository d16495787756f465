import { OxqlError } from './oxql-error.ts'

/** Levels of brackets and negations: more would exhaust the stack, and are unreadable. */
const maxDepth = 64
/** Each has its own bound of steps, so that their number bounds the steps of the query. */
const maxPatterns = 16
/** Characters of the query that a message shows on each side of the place. */
const contextChars = 24

/**
 * A position in the text of a query. Attempts that fail leave what they expected behind; the message names
 * all that would have been accepted at the furthest place reached.
 */
export class Cursor {
  at = 0
  private furthest = 0
  private readonly expected = new Set<string>()
  private depth = 0
  private patterns = 0

  constructor(
    readonly text: string,
    at: number,
  ) {
    this.at = at
    this.furthest = at
  }

  /** Consumes a fixed text. */
  take(token: string): boolean {
    if (!this.text.startsWith(token, this.at)) return this.missed(`"${token}"`)
    this.at += token.length
    return true
  }

  /** Consumes what a sticky pattern matches here. */
  match(pattern: RegExp, noun: string): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (!found) {
      this.missed(noun)
      return undefined
    }
    this.at += found[0].length
    return found
  }

  require(token: string): void {
    if (!this.take(token)) throw this.error()
  }

  requireMatch(pattern: RegExp, noun: string): RegExpExecArray {
    const found = this.match(pattern, noun)
    if (!found) throw this.error()
    return found
  }

  blanks(): void {
    while (' \t\n'.includes(this.text[this.at] ?? '.')) this.at++
  }

  requireBlanks(): void {
    const before = this.at
    this.blanks()
    if (this.at === before) throw this.wrong('white space', before)
  }

  /** Consumes blanks and a token, or nothing. */
  takeAfterBlanks(token: string): boolean {
    const before = this.at
    this.blanks()
    if (this.take(token)) return true
    this.at = before
    return false
  }

  get atEnd(): boolean {
    return this.at >= this.text.length
  }

  /** Runs one level deeper in brackets. */
  deeper<Result>(parse: () => Result): Result {
    if (this.depth === maxDepth) throw this.wrong(`at most ${maxDepth} levels of nesting`, this.at)
    this.depth++
    const result = parse()
    this.depth--
    return result
  }

  /** Counts a regular expression. */
  countPattern(at: number): void {
    if (++this.patterns > maxPatterns) throw this.wrong(`at most ${maxPatterns} regular expressions`, at)
  }

  private missed(noun: string): false {
    if (this.at > this.furthest) {
      this.furthest = this.at
      this.expected.clear()
    }
    if (this.at === this.furthest) this.expected.add(noun)
    return false
  }

  /** The text cannot be read any further. */
  error(): OxqlError {
    return this.errorAt(this.furthest, [...this.expected].sort())
  }

  /** The token has the right form and a wrong value. */
  wrong(expected: string, at: number): OxqlError {
    return this.errorAt(at, [expected])
  }

  private errorAt(at: number, expected: string[]): OxqlError {
    const before = this.text.slice(0, at)
    const line = before.split('\n').length
    const column = at - before.lastIndexOf('\n')
    const left = before.slice(before.lastIndexOf('\n') + 1).slice(-contextChars)
    const [right = ''] = this.text.slice(at, at + contextChars).split('\n')
    const prefix = `Error at ${line}:${column}: .. `
    const marked = `${prefix}${left}${right} ..`.replaceAll('\t', ' ')
    const caret = `${' '.repeat(prefix.length + left.length)}^`
    const found = right === '' ? (at >= this.text.length ? 'end of query' : 'end of line') : right
    return new OxqlError(
      `${marked}\n${caret}\nExpected: ${expected.join(', ')}`,
      { line, column, found, expected },
      'Correct the query at the marked place.',
    )
  }
}
