import { describe, expect, test } from 'vitest'
import { type FilteredKind, filteredKinds, fieldsOf } from './list-kinds.rules.ts'
import {
  type Filter,
  filterLimits,
  filterMaxLength,
  type FilterProblem,
  type FilterText,
  grouped,
  parseFilter,
  printFilter,
  type Term,
} from './filter-text.rules.ts'
import { type Condition, readFilter } from './filter.rules.ts'

/** Repeatable numbers below `limit` (mulberry32). */
function randomOf(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** Without positions, which the spelling decides. */
function bare(filter: Filter | undefined): unknown {
  if (!filter) return undefined
  if (filter.kind === 'term') {
    const { from: _from, to: _to, ...rest } = filter
    return rest
  }
  return filter.kind === 'not'
    ? { kind: 'not', part: bare(filter.part) }
    : { kind: filter.kind, parts: filter.parts.map(bare) }
}
const read = (text: string): FilterText => {
  const parsed = parseFilter(text)
  expect(parsed.problem, text).toBe(undefined)
  return parsed as FilterText
}

test.each([
  ['state:failed image:debian*', 'state:failed image:debian*'],
  ['  a   and  b  ', 'a b'],
  ['a or b c', 'a or b c'],
  ['(a or b) c', '(a or b) c'],
  ['((a) (b c))', 'a b c'],
  ['not state:failed', '-state:failed'],
  ['NOT (a OR b)', '-(a or b)'],
  ['cpu=2', 'cpu:2'],
  ['NAME:Web', 'name:Web'],
  ['tag:env=prod', 'tag:env=prod'],
  ['mac:a8:40:25:ff:00:01', 'mac:a8:40:25:ff:00:01'],
  ['"exact words"', '"exact words"'],
  [String.raw`"a \" b \\"`, String.raw`"a \" b \\"`],
  ['state:failed,"stopped"', 'state:failed,"stopped"'],
  ['memory>=8GiB created<7d sort:-cpu', 'memory>=8GiB created<7d sort:-cpu'],
  ['a or b sort:name', '(a or b) sort:name'],
  ['orange android nothing', 'orange android nothing'],
  ['fd00::1 10.0.0.0/24', 'fd00::1 10.0.0.0/24'],
  ['', ''],
])('%s is read as %s', (text, printed) => expect(printFilter(read(text))).toBe(printed))

test.each([
  ['a or', 2, 'Write a term on both sides of or'],
  ['or a', 0, 'Write a term on both sides of or'],
  ['and a', 0, 'Write a term before and'],
  ['a)', 1, 'This ) closes nothing'],
  ['a (b', 2, 'This ( is not closed'],
  ['a ()', 2, 'Write terms between the parentheses'],
  ['name:', 0, 'Write a value for name behind name:'],
  ['name:a,', 0, 'Write a value for name'],
  ['name:"a', 5, 'This quotation mark is not closed'],
  ['""', 0, 'Write a text between the quotation marks'],
  ['x name!=a', 2, 'Write -name: instead of name!='],
  ['a -', 2, 'Write what to exclude'],
  ['sort:name sort:cpu', 10, 'A list has one sort order'],
  ['(a sort:name)', 3, 'Write sort:FIELD outside of groups'],
  ['sort:-name,cpu', 0, 'Write one field to sort by'],
  ['x'.repeat(filterMaxLength + 1), filterMaxLength, 'A filter has at most 500 characters'],
  ['a '.repeat(filterLimits.terms + 1), 2 * filterLimits.terms, 'A filter has at most 32 terms'],
  ['('.repeat(50), filterLimits.depth + 1, 'Groups nest at most 8 deep'],
  ['-'.repeat(50), filterLimits.depth + 1, 'Groups nest at most 8 deep'],
  [`name:${'a,'.repeat(40)}a`, 0, 'A term has at most 32 values'],
])('%s is refused at %i: %s', (text, from, message) => {
  const { problem } = parseFilter(text)
  expect(problem?.message).toContain(message)
  expect(problem?.from).toBe(from)
})

describe('fields and values', () => {
  const now = Date.parse('2025-11-29T12:00:00Z')
  const conditionIn = (text: string, kind: FilteredKind = 'instance'): Condition | undefined => {
    const filter = readFilter(kind, text, now)
    expect(filter.problem, text).toBe(undefined)
    return 'condition' in filter ? filter.condition : undefined
  }
  const testIn = (text: string, kind?: FilteredKind): unknown => {
    const condition = conditionIn(text, kind)
    return condition?.kind === 'test' ? condition.test : condition
  }
  const [GiB, day] = [1024 ** 3, 24 * 3600 * 1000]

  test.each([
    ['memory>=8GiB', { from: 8 * GiB }],
    ['memory:2..8GiB', { from: 2 * GiB, to: 8 * GiB }],
    ['memory:512MiB..8g', { from: GiB / 2, to: 8 * GiB }],
    ['cpu:2..8', { from: 2, to: 8 }],
    ['cpu:2..', { from: 2 }],
    ['cpu:..8', { to: 8 }],
    ['cpu<4', { to: 4, isBefore: true }],
    ['cpu>4', { from: 4, isAfter: true }],
    ['created<7d', { from: now - 7 * day, isAfter: true }],
    ['created>=7d', { to: now - 7 * day }],
    ['created>1mo', { to: now - 30 * day, isBefore: true }],
    ['created:1d..7d', { from: now - 7 * day, to: now - day }],
    ['created:7d..', { to: now - 7 * day }],
    ['created:2025-10', { from: Date.parse('2025-10-01'), to: Date.parse('2025-11-01'), isBefore: true }],
    ['created:2025', { from: Date.parse('2025-01-01'), to: Date.parse('2026-01-01'), isBefore: true }],
    ['created<2025-10', { to: Date.parse('2025-10-01'), isBefore: true }],
    ['created>2025-10', { from: Date.parse('2025-11-01') }],
    ['created>=2025-10-05', { from: Date.parse('2025-10-05') }],
    ['created<=2025-10-05', { to: Date.parse('2025-10-06'), isBefore: true }],
    ['created>2025-10-05T10:00:00+02:00', { from: Date.parse('2025-10-05T08:00:00.001Z') }],
    [
      'created:2025-10-01..2025-10-03',
      { from: Date.parse('2025-10-01'), to: Date.parse('2025-10-04'), isBefore: true },
    ],
    ['mac:a8:40:25:*', { from: 0xa84025000000, to: 0xa84025ffffff }],
    ['mac:A8-40-25-f0-00-01', { from: 0xa84025f00001, to: 0xa84025f00001 }],
  ])('%s is an interval', (text, interval) =>
    expect(testIn(text)).toEqual({ none: false, of: 'interval', intervals: [interval] }),
  )

  test('names are patterns, and quoted ones are literal', () => {
    expect(testIn('name:Web*,db')).toEqual({ none: false, of: 'text', patterns: [['web', ''], ['db']] })
    expect(testIn('name:"web*"')).toEqual({ none: false, of: 'text', patterns: [['web*']] })
    expect(testIn('image:none,debian*')).toEqual({ none: true, of: 'text', patterns: [['debian', '']] })
    expect(testIn('image:"none"')).toEqual({ none: false, of: 'text', patterns: [['none']] })
    expect(testIn('name:none')).toEqual({ none: false, of: 'text', patterns: [['none']] })
  })

  test('states, flags, addresses and ids', () => {
    expect(testIn('state:Failed,"stopped"')).toEqual({
      none: false,
      of: 'choice',
      values: ['failed', 'stopped'],
    })
    expect(testIn('state:"import ready"', 'disk')).toEqual({
      none: false,
      of: 'choice',
      values: ['import_ready'],
    })
    expect(testIn('protected:yes')).toEqual({ none: false, of: 'flag', isSet: true })
    expect(testIn('ip:10.0.0.0/24')).toEqual({
      none: false,
      of: 'address',
      ranges: [{ version: 4, first: 0x0a000000n, last: 0x0a0000ffn }],
    })
    expect(testIn('external:none')).toEqual({ none: true, of: 'address', ranges: [] })
    expect(testIn('id:7C9E6')).toEqual({
      none: false,
      of: 'id',
      ranges: [
        { first: '7c9e6000-0000-0000-0000-000000000000', last: '7c9e6fff-ffff-ffff-ffff-ffffffffffff' },
      ],
    })
  })

  test('words search names, and are understood as addresses and ids', () => {
    expect(testIn('web')).toEqual({ kind: 'word', pattern: ['web'], ip: undefined, id: undefined })
    expect(testIn('10.0.0.7')).toMatchObject({ ip: { version: 4, first: 0x0a000007n } })
    expect(testIn('7c9e6679')).toMatchObject({ id: { first: '7c9e6679-0000-0000-0000-000000000000' } })
    expect(testIn('"7c9e6679"')).toMatchObject({ id: undefined })
  })

  test.each([
    ['x colour:red', 2, 'There is no field colour here. Use name, id,'],
    ['mem>8GiB', 0, 'Write memory: instead'],
    ['constructor:a', 0, 'There is no field constructor'],
    ['state:sleeping', 0, 'There is no state sleeping. Use creating,'],
    ['state>failed', 0, 'state has no order. Write state:VALUE, such as state:failed'],
    ['memory>=8', 0, 'Write a unit behind the number, such as memory>=8GiB'],
    ['memory>8GB', 0, 'Write 8GiB'],
    ['memory:8GiB..2GiB', 0, 'Write memory:2GiB..8GiB'],
    ['memory>2GiB..8GiB', 0, 'Write memory:2GiB..8GiB for a range'],
    ['cpu:many', 0, 'Write a whole number, such as cpu:2..8'],
    ['cpu:..', 0, 'Write a bound'],
    ['cpu>2,3', 0, 'Write one value behind cpu>'],
    ['created:7d', 0, 'Write created<7d for the last 7d, or created>7d for before'],
    ['created<soon', 0, 'Write an age such as <7d or >2mo, or a date'],
    ['created:2025-02-30', 0, 'Write an age'],
    ['created:7d..2025', 0, 'Write two ages or two dates'],
    ['created:7d..1d', 0, 'Write created:1d..7d'],
    ['ip:10.0.*', 0, 'Write the network 10.0.0.0/16'],
    ['ip:10.0.0.9..10.0.0.1', 0, 'Write 10.0.0.1..10.0.0.9'],
    ['ip:house', 0, 'Write an address such as 10.0.0.7'],
    ['mac:a8:40', 0, 'Write a MAC address'],
    ['id:7c', 0, 'Write an id, or at least its first 4 digits'],
    ['protected:maybe', 0, 'Write protected:yes or protected:no'],
    ['a sort:mac', 2, 'Lists cannot be sorted by mac. Use name,'],
  ])('%s is refused at %i: %s', (text, from, message) => {
    const { problem } = readFilter('instance', text, now)
    expect(problem?.message).toContain(message)
    expect(problem?.from).toBe(from)
  })

  test('the examples of all fields are filters', () => {
    const sorts: [string, unknown][] = []
    for (const kind of filteredKinds)
      for (const [name, { example, sortsAs }] of Object.entries(fieldsOf(kind))) {
        expect(readFilter(kind, example, now).problem, example).toBe(undefined)
        if (sortsAs !== undefined)
          sorts.push([`${sortsAs}_descending`, readFilter(kind, `sort:-${name}`, now)])
      }
    for (const [sort, filter] of sorts) expect(filter).toMatchObject({ sort })
  })
})

/** A filter of random shape, as the parser would build it. */
function randomFilter(random: (limit: number) => number, depth: number): Filter {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item
  const chars = Array.from('ab*-:<>=.,/ü"\\ ()\u{1f600}ornt')
  const many = <Item>(most: number, item: () => Item): Item[] =>
    Array.from({ length: 1 + random(most) }, item)
  if (depth > 0 && random(3) === 0) {
    const parts = many(3, () => randomFilter(random, depth - 1))
    return grouped(pick(['all', 'any'] as const), parts) as Filter
  }
  if (depth > 0 && random(5) === 0) return { kind: 'not', part: randomFilter(random, depth - 1) }
  const value = () =>
    random(2) === 0
      ? { text: `x${many(8, () => pick(chars)).join('')}`, isQuoted: true }
      : { text: pick(['web*', '8GiB', '10.0.0.0/24', 'a8:40:25:*', '2..8', 'env=prod']), isQuoted: false }
  const field = random(2) === 0 ? undefined : pick(['name', 'tag', 'state_since'])
  return {
    kind: 'term',
    field,
    comparison: field === undefined ? ':' : pick([':', '<', '<=', '>', '>='] as const),
    // Unquoted words that look like a field are none.
    values:
      field === undefined
        ? [random(2) === 0 ? { text: 'or', isQuoted: true } : { ...value(), isQuoted: true }]
        : many(3, value),
    from: 0,
    to: 0,
  } satisfies Term
}

test('what is printed is read as the same filter', () => {
  let roundTrips = 0
  for (let seed = 0; seed < 3000; seed++) {
    const random = randomOf(seed)
    const filter = randomFilter(random, 3)
    const sort =
      random(3) === 0 ? { field: 'name', isDescending: random(2) === 0, from: 0, to: 0 } : undefined
    const text = printFilter({ filter, sort })
    if (text.length > filterMaxLength) continue
    const parsed = parseFilter(text)
    if (parsed.problem?.message.includes('at most')) continue
    expect(parsed.problem, text).toBe(undefined)
    if (parsed.problem) continue
    roundTrips++
    expect(bare(parsed.filter), text).toEqual(bare(filter))
    expect(parsed.sort?.isDescending).toBe(sort?.isDescending)
    expect(printFilter(parsed)).toBe(text)
  }
  expect(roundTrips).toBeGreaterThan(2000)
})

test('any text is a filter or has a problem within it, for all kinds', () => {
  const pieces = [
    ...Array.from(' ()"\\-,:<>=.*/'),
    'or',
    'and',
    'not',
    'sort:',
    'name:',
    'state:failed',
    'memory',
    '8GiB',
    '..',
    'created<',
    '7d',
    '10.0.0.0/24',
    'ip:',
    'mac:',
    'id:',
    '7c9e6679',
    'none',
    '\0',
    '\u{1f600}',
    '\ud800',
    '2025-02-30',
    '__proto__:',
  ]
  const problems: [string, FilterProblem][] = []
  for (let seed = 0; seed < 4000; seed++) {
    const random = randomOf(seed)
    const text = Array.from({ length: random(40) }, () => pieces[random(pieces.length)]).join('')
    const kind = filteredKinds[random(filteredKinds.length)] ?? 'instance'
    const { problem } = readFilter(kind, text, 0)
    if (problem) {
      problems.push([text, problem])
      continue
    }
    const parsed = read(text)
    expect(bare(read(printFilter(parsed)).filter), text).toEqual(bare(parsed.filter))
  }
  for (const [text, { message, from, to }] of problems) {
    expect(message, text).toMatch(/^[A-Z].+/su)
    expect(from).toBeGreaterThanOrEqual(0)
    expect(to).toBeGreaterThanOrEqual(from)
    expect(to).toBeLessThanOrEqual(Math.max(1, text.length))
  }
})
