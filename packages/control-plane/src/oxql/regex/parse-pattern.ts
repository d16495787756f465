import {
  anyOf,
  escapedClasses,
  exactly,
  ignoringCase,
  namedClasses,
  not,
  unicodeClass,
} from './characters.ts'
import { type Assertion, type CharacterTest, type Pattern, PatternProblem } from './pattern.ts'

const maxDepth = 64
const maxRepeat = 1000
const newline = 0x0a

const letters: Record<string, number> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }
const assertions: Record<string, Assertion> = {
  A: 'text-start',
  z: 'text-end',
  b: 'word-edge',
  B: 'no-word-edge',
}

interface Flags {
  /** Ignores case. */
  i: boolean
  /** `^` and `$` also match at lines. */
  m: boolean
  /** `.` also matches a newline. */
  s: boolean
}

export const parsePattern = (source: string): Pattern => new PatternReader(source).whole()

class PatternReader {
  private at = 0
  private depth = 0
  private flags: Flags = { i: false, m: false, s: false }
  private readonly source: readonly string[]

  constructor(source: string) {
    this.source = Array.from(source)
  }

  whole(): Pattern {
    const pattern = this.choice()
    if (this.at < this.source.length) throw new PatternProblem('a ) has no (')
    return pattern
  }

  private choice(): Pattern {
    const of = [this.sequence()]
    while (this.take('|')) of.push(this.sequence())
    return of.length === 1 && of[0] ? of[0] : { kind: 'choice', of }
  }

  private sequence(): Pattern {
    const of: Pattern[] = []
    while (this.at < this.source.length && !this.sees('|') && !this.sees(')')) of.push(this.repeated())
    return { kind: 'sequence', of }
  }

  private repeated(): Pattern {
    let pattern = this.atom()
    let bounds = this.bounds()
    if (bounds) {
      pattern = { kind: 'repetition', of: pattern, ...bounds }
      this.take('?') // Lazy or greedy: whether there is a match is the same.
      bounds = this.bounds()
      if (bounds) throw new PatternProblem('a repetition cannot be repeated without brackets')
    }
    return pattern
  }

  private bounds(): { min: number; max: number } | undefined {
    if (this.take('*')) return { min: 0, max: Infinity }
    if (this.take('+')) return { min: 1, max: Infinity }
    if (this.take('?')) return { min: 0, max: 1 }
    // Braces that are no repetition are ordinary characters.
    const found = /^\{(\d{1,9})(,(\d{0,9}))?\}/.exec(this.source.slice(this.at, this.at + 24).join(''))
    if (!found) return undefined
    this.at += found[0].length
    const min = Number(found[1])
    const max = found[2] === undefined ? min : found[3] ? Number(found[3]) : Infinity
    if (min > maxRepeat || (max > maxRepeat && max !== Infinity) || max < min)
      throw new PatternProblem(`${found[0]} is not a repetition of 0 to ${maxRepeat} times`)
    return { min, max }
  }

  private atom(): Pattern {
    const character = this.next()
    switch (character) {
      case '(':
        return this.group()
      case '[':
        return this.accepting(this.brackets())
      case '.': {
        const { s } = this.flags
        return { kind: 'character', accepts: (code) => s || code !== newline }
      }
      case '^':
        return { kind: 'assertion', assertion: this.flags.m ? 'line-start' : 'text-start' }
      case '$':
        return { kind: 'assertion', assertion: this.flags.m ? 'line-end' : 'text-end' }
      case '*':
      case '+':
      case '?':
        throw new PatternProblem(`there is nothing for ${character} to repeat`)
      case '\\':
        return this.escaped()
      default:
        return this.accepting(exactly(codeOf(character)))
    }
  }

  private accepting(test: CharacterTest): Pattern {
    return { kind: 'character', accepts: this.flags.i ? ignoringCase(test) : test }
  }

  private group(): Pattern {
    if (this.depth === maxDepth) throw new PatternProblem(`brackets nest more than ${maxDepth} levels`)
    const outer = this.flags
    if (this.take('?') && !this.name() && this.options()) return { kind: 'empty' }
    this.depth++
    const inner = this.choice()
    this.depth--
    if (!this.take(')')) throw new PatternProblem('a ( has no )')
    this.flags = outer
    return inner
  }

  /** `(?<name>` or `(?P<name>`: names are for captures, which nothing reads. */
  private name(): boolean {
    const found = /^P?<\w+>/.exec(this.source.slice(this.at, this.at + 64).join(''))
    if (found) this.at += found[0].length
    return found !== null
  }

  /** `(?i)` holds to the end of the surrounding group, `(?i:` for its own. True for the former. */
  private options(): boolean {
    const found = /^([imsU]*)(?:-([imsU]+))?([:)])/.exec(this.source.slice(this.at, this.at + 16).join(''))
    if (!found) throw new PatternProblem('look-around and other extensions are not supported')
    this.at += found[0].length
    const flags = { ...this.flags }
    for (const name of ['i', 'm', 's'] as const) {
      if (found[1]?.includes(name)) flags[name] = true
      if (found[2]?.includes(name)) flags[name] = false
    }
    this.flags = flags
    return found[3] === ')'
  }

  private escaped(): Pattern {
    const letter = this.source[this.at]
    const assertion = letter === undefined ? undefined : assertions[letter]
    if (assertion) {
      this.at++
      return { kind: 'assertion', assertion }
    }
    if (letter === 'Q') return this.quoted()
    const escape = this.escape()
    return this.accepting(typeof escape === 'number' ? exactly(escape) : escape)
  }

  /** `\Q` takes everything up to `\E` as it is. */
  private quoted(): Pattern {
    this.at++
    const of: Pattern[] = []
    while (this.at < this.source.length) {
      if (this.sees('\\') && this.source[this.at + 1] === 'E') {
        this.at += 2
        break
      }
      of.push(this.accepting(exactly(codeOf(this.next()))))
    }
    return { kind: 'sequence', of }
  }

  /** After a backslash: the code point of a character, or a class. */
  private escape(): number | CharacterTest {
    const letter = this.next()
    const set = escapedClasses[letter]
    if (set) return set
    const code = letters[letter]
    if (code !== undefined) return code
    if (letter === 'x') return this.hexadecimal()
    if (letter === 'p' || letter === 'P') return this.property(letter === 'P')
    if (/[0-9A-Za-z]/.test(letter)) throw new PatternProblem(`\\${letter} is not supported`)
    return codeOf(letter)
  }

  private hexadecimal(): number {
    const found = /^(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/.exec(
      this.source.slice(this.at, this.at + 8).join(''),
    )
    const code = Number.parseInt(found?.[1] ?? found?.[2] ?? '', 16)
    if (!found || code > 0x10ffff) throw new PatternProblem('\\x needs the number of a character')
    this.at += found[0].length
    return code
  }

  private property(isOpposite: boolean): CharacterTest {
    const found = /^(?:\{(\^?)(\w{1,40})\}|([A-Z]))/.exec(this.source.slice(this.at, this.at + 44).join(''))
    if (!found) throw new PatternProblem('\\p needs the name of a character class')
    this.at += found[0].length
    const test = unicodeClass(found[2] ?? found[3] ?? '')
    return isOpposite !== (found[1] === '^') ? not(test) : test
  }

  private brackets(): CharacterTest {
    const isOpposite = this.take('^')
    const tests: CharacterTest[] = []
    // A bracket that comes first is an ordinary character.
    do tests.push(this.range())
    while (!this.take(']'))
    const test = anyOf(tests)
    if (!isOpposite) return test
    // Case is folded first: with (?i), [^a] accepts neither a nor A.
    return this.flags.i ? not(ignoringCase(test)) : not(test)
  }

  private range(): CharacterTest {
    const named = /^\[:(\^?)(\w+):\]/.exec(this.source.slice(this.at, this.at + 16).join(''))
    if (named) {
      this.at += named[0].length
      const test = namedClasses[named[2] ?? '']
      if (!test) throw new PatternProblem(`there is no character class ${named[0]}`)
      return named[1] ? not(test) : test
    }
    const first = this.member()
    if (!this.sees('-') || this.source[this.at + 1] === ']')
      return typeof first === 'number' ? exactly(first) : first
    this.at++
    const last = this.member()
    if (typeof first !== 'number' || typeof last !== 'number' || first > last)
      throw new PatternProblem('a range in brackets is not in order')
    return (code) => code >= first && code <= last
  }

  private member(): number | CharacterTest {
    if (this.at >= this.source.length) throw new PatternProblem('a [ has no ]')
    return this.take('\\') ? this.escape() : codeOf(this.next())
  }

  private next(): string {
    const character = this.source[this.at]
    if (character === undefined) throw new PatternProblem('the pattern ends too early')
    this.at++
    return character
  }

  private sees(character: string): boolean {
    return this.source[this.at] === character
  }

  private take(character: string): boolean {
    if (!this.sees(character)) return false
    this.at++
    return true
  }
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0
