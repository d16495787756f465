/** Maximum length of a filter, in UTF-16 units, as text fields count. */
export const filterMaxLength = 500
/** Bounds of what a filter may ask, so that each costs little to evaluate. */
export const filterLimits = { terms: 32, depth: 8, values: 32 } as const

/** A part of the text, by UTF-16 units. */
export interface Span {
  from: number
  to: number
}

/** One of a term's values. In a quoted one, no character has a meaning of its own. */
export interface FilterValue {
  text: string
  isQuoted: boolean
}

export type Comparison = ':' | '<' | '<=' | '>' | '>='

/** `field:value`, or only a value, which is searched for in what identifies an object. */
export interface Term extends Span {
  kind: 'term'
  field: string | undefined
  comparison: Comparison
  values: readonly FilterValue[]
}

/** Groups hold at least two parts, none of which is a group of the same kind. */
export type Filter = { kind: 'all' | 'any'; parts: readonly Filter[] } | { kind: 'not'; part: Filter } | Term

export interface Sort extends Span {
  field: string
  isDescending: boolean
}

export interface FilterText {
  /** Undefined matches everything. */
  filter: Filter | undefined
  sort: Sort | undefined
}

/** What is wrong where, in a sentence that says what to write. */
export interface FilterProblem extends Span {
  message: string
}

export type Parsed = ({ problem?: undefined } & FilterText) | { problem: FilterProblem }

class Problem extends Error {
  constructor(
    readonly from: number,
    readonly to: number,
    message: string,
  ) {
    super(message)
  }
}

/** Reads a filter. It never throws, and takes time in proportion to the text. */
export function parseFilter(text: string): Parsed {
  try {
    return new Parser(text).parse()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { from, to, message } = error
    return { problem: { from, to, message } }
  }
}

const blank = /\s/
const fieldPattern = /([a-z]+(?:_[a-z]+)*)(<=|>=|!=|[:<>=])/iy
const bareValue = /[^\s()",]+/y
const bareWord = /[^\s()"]+/y

class Parser {
  #at = 0
  #terms = 0
  #sort: Sort | undefined

  constructor(private readonly text: string) {}

  parse(): FilterText {
    if (this.text.length > filterMaxLength)
      throw new Problem(
        filterMaxLength,
        this.text.length,
        `A filter has at most ${filterMaxLength} characters. Shorten it.`,
      )
    const filter = this.#alternatives(0)
    // Only a parenthesis ends the alternatives before the text does.
    if (this.#at < this.text.length)
      throw new Problem(this.#at, this.#at + 1, 'This ) closes nothing. Remove it, or open a group before.')
    return { filter, sort: this.#sort }
  }

  #alternatives(depth: number): Filter | undefined {
    const parts: Filter[] = []
    for (;;) {
      const { before, part } = this.#conjunction(depth)
      const or = this.#keyword('or')
      if (part) parts.push(part)
      if (!part && (or || parts.length > 0)) {
        const place = or ?? before
        throw new Problem(
          place.from,
          place.to,
          'Write a term on both sides of or, such as state:failed or state:stopped.',
        )
      }
      if (!or) return grouped('any', parts)
      this.#at = or.to
    }
  }

  /** Terms up to the end, a parenthesis or an `or`. */
  #conjunction(depth: number): { part: Filter | undefined; before: Span } {
    const parts: Filter[] = []
    const before = { from: Math.max(0, this.#at - 2), to: this.#at }
    for (;;) {
      this.#skipBlanks()
      if (this.#at >= this.text.length || this.#next() === ')' || this.#keyword('or')) break
      // Between terms, `and` says what a blank does.
      const and = this.#keyword('and')
      if (and) {
        if (parts.length === 0)
          throw new Problem(and.from, and.to, 'Write a term before and, or put the word into quotes: "and".')
        this.#at = and.to
        continue
      }
      const part = this.#factor(depth)
      if (part) parts.push(part)
    }
    return { part: grouped('all', parts), before }
  }

  #factor(depth: number): Filter | undefined {
    if (depth > filterLimits.depth)
      throw new Problem(
        this.#at,
        this.#at + 1,
        `Groups nest at most ${filterLimits.depth} deep. Use fewer parentheses.`,
      )
    const from = this.#at
    const not = this.#keyword('not')
    if (not || this.#next() === '-') {
      this.#at = not ? not.to : from + 1
      if (not) this.#skipBlanks()
      const after = this.text[this.#at]
      if (
        after === undefined ||
        blank.test(after) ||
        after === ')' ||
        this.#keyword('or') ||
        this.#keyword('and')
      )
        throw new Problem(from, this.#at, 'Write what to exclude, such as -state:stopped.')
      const part = this.#factor(depth + 1)
      if (!part)
        throw new Problem(from, this.#at, 'A sort order cannot be negated. Write sort:-name to reverse it.')
      return { kind: 'not', part }
    }
    if (this.#next() !== '(') return this.#term(depth)
    this.#at++
    const part = this.#alternatives(depth + 1)
    if (this.#next() !== ')')
      throw new Problem(from, from + 1, 'This ( is not closed. Write a ) behind the group.')
    this.#at++
    if (!part) throw new Problem(from, this.#at, 'Write terms between the parentheses, or remove them.')
    return part
  }

  #term(depth: number): Term | undefined {
    const from = this.#at
    if (++this.#terms > filterLimits.terms)
      throw new Problem(
        from,
        this.text.length,
        `A filter has at most ${filterLimits.terms} terms. Remove some.`,
      )
    const [head, name, sign] = this.#match(fieldPattern) ?? []
    if (head === undefined || name === undefined) {
      const value =
        this.#next() === '"' ? this.#quoted() : { text: this.#match(bareWord)?.[0] ?? '', isQuoted: false }
      return { kind: 'term', field: undefined, comparison: ':', values: [value], from, to: this.#at }
    }
    const field = name.toLowerCase()
    if (sign === '!=')
      throw new Problem(from, this.#at, `Write -${field}: instead of ${field}!= to exclude a value.`)
    const comparison = sign === '=' ? ':' : (sign as Comparison)
    const values = this.#values(from, field)
    const term = { from, to: this.#at }
    if (field !== 'sort') return { kind: 'term', field, comparison, values, ...term }
    this.#sortBy(values, term, comparison === ':' && depth === 0)
    return undefined
  }

  #values(from: number, field: string): FilterValue[] {
    const values: FilterValue[] = []
    for (;;) {
      const bare = this.#next() === '"' ? undefined : (this.#match(bareValue)?.[0] ?? '')
      if (bare === '')
        throw new Problem(
          from,
          Math.max(this.#at, from + 1),
          `Write a value for ${field} behind ${this.text.slice(from, this.#at)}`,
        )
      values.push(bare === undefined ? this.#quoted() : { text: bare, isQuoted: false })
      if (values.length > filterLimits.values)
        throw new Problem(from, this.#at, `A term has at most ${filterLimits.values} values. Remove some.`)
      if (this.#next() !== ',') return values
      this.#at++
    }
  }

  #quoted(): FilterValue {
    const from = this.#at++
    let text = ''
    for (;;) {
      const char = this.text[this.#at]
      const isEscape = char === '\\'
      const taken = isEscape ? this.text[this.#at + 1] : char
      if (taken === undefined)
        throw new Problem(
          from,
          this.text.length,
          'This quotation mark is not closed. Write another one behind the text.',
        )
      this.#at += isEscape ? 2 : 1
      if (char === '"') break
      text += taken
    }
    if (text.trim() === '') throw new Problem(from, this.#at, 'Write a text between the quotation marks.')
    return { text, isQuoted: true }
  }

  #sortBy([value, ...more]: FilterValue[], place: Span, isAllowed: boolean): void {
    const [, minus, field] = /^(-?)([a-z]+(?:_[a-z]+)*)$/i.exec(value?.text ?? '') ?? []
    if (field === undefined || more.length > 0)
      throw new Problem(
        place.from,
        place.to,
        'Write one field to sort by, such as sort:name or sort:-created.',
      )
    if (!isAllowed) throw new Problem(place.from, place.to, 'Write sort:FIELD outside of groups.')
    if (this.#sort) throw new Problem(place.from, place.to, 'A list has one sort order. Remove one of them.')
    this.#sort = { field: field.toLowerCase(), isDescending: minus === '-', ...place }
  }

  #skipBlanks(): void {
    while (this.#at < this.text.length && blank.test(this.text[this.#at] ?? '')) this.#at++
  }

  #next(): string | undefined {
    return this.text[this.#at]
  }

  /** A word of the grammar at this place, which it is only where it stands alone. */
  #keyword(word: string): Span | undefined {
    const to = this.#at + word.length
    if (this.text.slice(this.#at, to).toLowerCase() !== word) return undefined
    const after = this.text[to]
    if (after !== undefined && !blank.test(after) && after !== '(' && after !== ')') return undefined
    return { from: this.#at, to }
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.text)
    if (!match) return undefined
    this.#at = pattern.lastIndex
    return match
  }
}

/** Nested groups of one kind are one group, and a group of one is that one. */
export function grouped(kind: 'all' | 'any', parts: readonly Filter[]): Filter | undefined {
  const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]))
  return flat.length > 1 ? { kind, parts: flat } : flat[0]
}

/** The text of a filter. Reading it yields the same filter. */
export function printFilter({ filter, sort }: Partial<FilterText>): string {
  const printed = filter ? [printPart(filter, false)] : []
  if (!sort) return printed.join('')
  // Beside alternatives, a sort order would belong to the last of them only.
  const before = filter?.kind === 'any' ? [`(${printed.join('')})`] : printed
  return [...before, `sort:${sort.isDescending ? '-' : ''}${sort.field}`].join(' ')
}

function printPart(part: Filter, isInside: boolean): string {
  switch (part.kind) {
    case 'term':
      return printTerm(part)
    case 'not':
      return `-${printPart(part.part, true)}`
    case 'all':
    case 'any': {
      const inner = part.parts
        .map((each) => printPart(each, part.kind === 'all' || each.kind !== 'all'))
        .join(part.kind === 'all' ? ' ' : ' or ')
      return isInside ? `(${inner})` : inner
    }
    default:
      return part satisfies never
  }
}

export function printTerm({
  field,
  comparison,
  values,
}: Pick<Term, 'field' | 'comparison' | 'values'>): string {
  const printed = values.map((value) => (value.isQuoted ? quoted(value.text) : value.text)).join(',')
  return field === undefined ? printed : `${field}${comparison}${printed}`
}

const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`

/** A value as it must be written to stand for exactly this text. */
export const literalValue = (text: string): FilterValue => ({
  text,
  isQuoted: !/^[^\s()",*\\]+$/.test(text) || text.includes('..') || /^(none|-.*)$/i.test(text),
})
