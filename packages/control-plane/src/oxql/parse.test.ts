import { describe, expect, it } from 'vitest'
import { parseQuery } from './parse.ts'
import type { Expression, Literal } from './syntax-tree.ts'

function expressionOf(text: string): Expression {
  const [operation] = parseQuery(`get a:b | filter ${text}`).operations
  if (operation?.kind !== 'filter') throw new Error('Expected a filter')
  return operation.expression
}

function literalOf(text: string): Literal {
  const expression = expressionOf(`x == ${text}`)
  if (expression.kind !== 'comparison') throw new Error('Expected a comparison')
  return expression.literal
}

/** An expression with all its brackets. */
function written(expression: Expression): string {
  if (expression.kind === 'comparison') return expression.identifier
  if (expression.kind === 'not') return `!${written(expression.of)}`
  const sign = { or: ' || ', and: ' && ', xor: ' ^ ' }[expression.kind]
  return `(${expression.of.map(written).join(sign)})`
}

describe('literals', () => {
  it.each<[string, Literal]>([
    ['true', { type: 'boolean', value: true }],
    ['false', { type: 'boolean', value: false }],
    ['5m', { type: 'duration', value: 300_000_000 }],
    ['2Y', { type: 'duration', value: 2 * 365 * 86_400_000_000 }],
    ['1M', { type: 'duration', value: 30 * 86_400_000_000 }],
    ['1w', { type: 'duration', value: 7 * 86_400_000_000 }],
    ['7ms', { type: 'duration', value: 7000 }],
    ['7us', { type: 'duration', value: 7 }],
    ['7000ns', { type: 'duration', value: 7 }],
    ['12', { type: 'integer', value: 12 }],
    ['-3', { type: 'integer', value: -3 }],
    ['0x1f', { type: 'integer', value: 31 }],
    ['18446744073709551615', { type: 'integer', value: 2n ** 64n - 1n }],
    ['-9223372036854775808', { type: 'integer', value: -(2n ** 63n) }],
    ['1.0', { type: 'double', value: 1 }],
    ['-.5', { type: 'double', value: -0.5 }],
    ['1e3', { type: 'double', value: 1000 }],
    ['2.5E-3', { type: 'double', value: 0.0025 }],
    ['"0A1B2c3d00004000800000000000000f"', { type: 'uuid', value: '0a1b2c3d-0000-4000-8000-00000000000f' }],
    [
      '"0A1B2c3d-0000-4000-8000-00000000000f"',
      { type: 'uuid', value: '0a1b2c3d-0000-4000-8000-00000000000f' },
    ],
    [
      "'0a1b2c3d-0000-4000-8000-00000000000f'",
      { type: 'string', value: '0a1b2c3d-0000-4000-8000-00000000000f' },
    ],
    ['"10.0.0.1"', { type: 'ip_addr', value: '10.0.0.1' }],
    ['"fd00:0::1"', { type: 'ip_addr', value: 'fd00::1' }],
    ['"FD00::1"', { type: 'string', value: 'FD00::1' }],
    ['"::ffff:10.0.0.1"', { type: 'string', value: '::ffff:10.0.0.1' }],
    ['"10.0.0.256"', { type: 'string', value: '10.0.0.256' }],
    [`"it's"`, { type: 'string', value: "it's" }],
    [String.raw`'a\n\r\t\\\0\u{e9}\u{1F600}'`, { type: 'string', value: 'a\n\r\t\\\0é😀' }],
    ['@2025-08-01', { type: 'timestamp', value: { from: 'epoch', offset: 1_754_006_400_000_000 } }],
    [
      '@2025-08-01T10:30:00.25',
      { type: 'timestamp', value: { from: 'epoch', offset: 1_754_044_200_250_000 } },
    ],
    ['@10:30:00', { type: 'timestamp', value: { from: 'midnight', offset: 37_800_000_000 } }],
    ['@now()', { type: 'timestamp', value: { from: 'now', offset: 0 } }],
    ['@now() - 5m', { type: 'timestamp', value: { from: 'now', offset: -300_000_000 } }],
    ['@now()+1h', { type: 'timestamp', value: { from: 'now', offset: 3_600_000_000 } }],
  ])('%s', (text, expected) => {
    expect(literalOf(text)).toEqual(expected)
  })

  it.each([
    ['1h30m', '"&&"'],
    ['-5m', '"&&"'],
    ['4294967296s', 'a count of at most 4294967295'],
    ['18446744073709551616', 'an integer from -9223372036854775808 to 18446744073709551615'],
    ['-9223372036854775809', 'an integer from'],
    ['1e999', 'a finite double'],
    [String.raw`'\q'`, 'an escape'],
    [String.raw`'\u{7}'`, 'not a control code'],
    [String.raw`'\u{110000}'`, 'the code point of a character'],
    ["'a", 'a string'],
    ['@2025-02-30', 'a day of the calendar'],
    ['@2025-13-01', 'a day of the calendar'],
    ['@24:00:00', 'a time of day'],
    ['@2025-08-01 10:00:00', '"&&"'],
    ['@2025-08-01T10:00:00+01:00', '"&&"'],
    ['@now() - 5', 'a duration'],
    ['@now', '"now()"'],
    ['y', '"false"'],
  ])('refuses %s', (text, expected) => {
    expect(() => literalOf(text)).toThrow(/^Error at 1:\d+: \.\. [^]* \.\.\n +\^\nExpected: /)
    expect(() => literalOf(text)).toThrow(expected)
  })
})

describe('expressions', () => {
  it.each([
    ['a == 1 || b == 1 && c == 1 ^ d == 1', '(a || (b && (c ^ d)))'],
    ['a == 1 ^ b == 1 && c == 1', '((a ^ b) && c)'],
    ['!a == 1 && b == 1', '(!a && b)'],
    ['! ( a==1||b==1 )', '!(a || b)'],
    ['a == 1 && (b == 1 || c == 1)', '(a && (b || c))'],
    ['!!a == 1', '!!a'],
  ])('%s', (text, expected) => {
    expect(written(expressionOf(text))).toBe(expected)
  })

  it.each([
    '1 == a',
    'a',
    'a = 1',
    'a == b',
    'a == 1 &&',
    '(a == 1',
    'a == 1)',
    'a in [1]',
    'A == 1',
    'a__b == 1',
    'a_ == 1',
    '_a == 1',
    'a ~ "x"',
  ])('refuses %s', (text) => {
    expect(() => expressionOf(text)).toThrow(/^Error at /)
  })
})

describe('queries', () => {
  it.each([
    'get metric_0:a1_2b',
    '  get\ta:b\n|filter\nx==1|first 3|last 0001  ',
    'get a:b | group_by []',
    'get a:b | group_by [ x , y, ] , mean',
    'get a:b | align interpolate(5s)',
    '{get a:b;get c:d}|join',
    '{ { get a:b } ; { get c:d | last 1; get e:f } }',
  ])('reads %s', (text) => {
    expect(parseQuery(text).from).toBeDefined()
  })

  it.each([
    ['', '"get", "{"'],
    ['GET a:b', '"get", "{"'],
    ['get a', '":"'],
    ['geta:b', 'white space'],
    ['get a: b', 'an identifier'],
    ['get a:b |', '"align", "filter", "first", "group_by", "join", "last"'],
    ['get a:b\r| join', '"|"'],
    ['get a:b // all', '"|"'],
    ['get a:b | first', 'white space'],
    ['get a:b | first 0', 'an integer from 1 to'],
    ['get a:b | last -1', 'an integer'],
    ['get a:b | align last(1m)', '"interpolate", "mean_within"'],
    ['get a:b | align mean_within(1m )', '")"'],
    ['get a:b | align mean_within(0s)', 'longer than zero'],
    ['get a:b | align mean_within(5ns)', 'a duration of whole microseconds'],
    ['get a:b | group_by x', '"["'],
    ['get a:b | group_by [x y]', '"]"'],
    ['get a:b | group_by [x], max', '"mean", "sum"'],
    ['{get a:b', '"}"'],
    ['{}', '"get", "{"'],
    ['filter x == 1', 'every subquery must start with a `get` operation'],
    ['get a:b | get c:d', 'every subquery must start with a `get` operation'],
    ['get a:b | { get c:d }', 'every subquery must start with a `get` operation'],
    ['{ get a:b; last 1 }', 'every subquery must start with a `get` operation'],
  ])('refuses %j', (text, expected) => {
    expect(() => parseQuery(text)).toThrow(/^Error at \d+:\d+: \.\. [^]* \.\.\n +\^\nExpected: /)
    expect(() => parseQuery(text)).toThrow(expected)
  })

  it('shows the position, what was found and what was expected', () => {
    const position = { line: 3, column: 5, found: 'head 5', expected: expect.arrayContaining(['"last"']) }
    const asked = () => parseQuery('\n get a:b\n\t | head 5')
    expect(asked).toThrow(expect.objectContaining({ position }))
    expect(asked).toThrow('Error at 3:5: ..   | head 5 ..\n                     ^\nExpected: "align"')
  })

  it('bounds length, depth and operations', () => {
    const padded = (length: number) => `get a:b${' '.repeat(length - 13)}| join`
    expect(parseQuery(`  ${padded(4096)}  `).operations).toHaveLength(1)
    expect(() => parseQuery(padded(4097))).toThrow('Queries must be <= 4096 characters')
    // In characters, and not in halves of them.
    const smiling = (length: number) => `get a:b | filter x == "${'😀'.repeat(length - 24)}"`
    expect(parseQuery(smiling(4096)).operations).toHaveLength(1)
    expect(() => parseQuery(smiling(4097))).toThrow('Queries must be <= 4096 characters')
    const deep = (levels: number) => `get a:b | filter ${'('.repeat(levels)}x == 1${')'.repeat(levels)}`
    expect(parseQuery(deep(64)).operations).toHaveLength(1)
    expect(() => parseQuery(deep(65))).toThrow('at most 64 levels of nesting')
    expect(() => parseQuery(`get a:b | filter ${'!'.repeat(4000)}x == 1`)).toThrow('at most 64 levels')
    expect(() => parseQuery('{'.repeat(4000))).toThrow('at most 64 levels')
    expect(parseQuery(`get a:b${'|join'.repeat(255)}`).operations).toHaveLength(255)
    const patterns = (count: number) => `get a:b | filter ${Array(count).fill("x ~= 'y'").join('||')}`
    expect(parseQuery(patterns(16)).operations).toHaveLength(1)
    expect(() => parseQuery(patterns(17))).toThrow('at most 16 regular expressions')
    expect(() => parseQuery(`get a:b${'|join'.repeat(256)}`)).toThrow('at most 256 operations')
  })
})
