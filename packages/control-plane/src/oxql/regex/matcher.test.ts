import { describe, expect, it } from 'vitest'
import { seeded } from '../../testing/seeded.ts'
import { matcher } from './matcher.ts'

const texts = [
  '',
  'a',
  'ab',
  'net0',
  'NET0',
  'sbtsi_0',
  'xsbtsi',
  'aaaa',
  'a b',
  'a\nb',
  'é',
  '10.0.0.1',
  '[x]',
  'a-b',
]

describe('regular expressions', () => {
  // The platform's engine is the second opinion, for patterns that it reads alike.
  it.each([
    '^sbtsi',
    'net\\d$',
    'a|b|',
    '(a|b)+c?',
    '[a-c]{2,3}',
    '[^a]',
    '^[[]x]$',
    '\\bb\\b',
    'a\\Bb',
    '^(?:a*)*$',
    '\\.',
    '[\\d.]+$',
    'a{2}',
    'a{5}',
    '^.$',
    '[a-]b',
    '\\p{L}',
    '\\P{L}',
    '\\x61b',
    '(?<name>a)b',
    '^a??b',
    '{',
    'a{,2}',
  ])('matches like the platform: %s', (source) => {
    const matches = matcher(source)
    let second: RegExp
    try {
      second = new RegExp(source, 'u')
    } catch {
      second = new RegExp(source)
    }
    expect(texts.filter((text) => matches(text))).toEqual(texts.filter((text) => second.test(text)))
  })

  it('matches like the platform, for generated patterns and texts', () => {
    const below = seeded(7)
    const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] ?? (items[0] as Item)
    const generate = (depth: number): string => {
      if (depth === 0) return pick(['a', 'b', '.', '[ab]', '[^a]', '\\w', '^', '$', '\\b'])
      const one = generate(depth - 1)
      return pick([
        `(?:${one})${pick(['*', '+', '?', '{1,2}', '{2}', '{2,}'])}`,
        `${one}${generate(depth - 1)}`,
        `(?:${one}|${generate(depth - 1)})`,
      ])
    }
    for (let round = 0; round < 400; round++) {
      const source = generate(1 + below(3))
      const matches = matcher(source)
      for (let count = 0; count < 10; count++) {
        const text = Array.from({ length: below(7) }, () => pick(['a', 'b', 'c', ' '])).join('')
        expect([source, text, matches(text)]).toEqual([source, text, new RegExp(source).test(text)])
      }
    }
  })

  it('knows what the platform writes differently', () => {
    expect(matcher('(?i)^net')('NET0')).toBe(true)
    expect(matcher('(?i)[^n]et')('NET0')).toBe(false)
    expect(matcher('(?i:n)et')('NET0')).toBe(false)
    expect(matcher('(?P<link>net)0')('net0')).toBe(true)
    expect(matcher('^[[:alpha:]]+[[:digit:]]$')('net0')).toBe(true)
    expect(matcher('\\Q[x]\\E')('[x]')).toBe(true)
    expect(matcher('(?s)a.b')('a\nb')).toBe(true)
    expect(matcher('(?m)^b$')('a\nb')).toBe(true)
  })

  it.each([
    '(',
    ')',
    '[',
    '[a',
    '*',
    'a**',
    'a{2,1}',
    'a{1001}',
    '(?=a)',
    '(?<!a)b',
    '\\1',
    '\\',
    '[z-a]',
    '\\p{Nope}',
    '[[:nope:]]',
    '(?z)',
  ])('refuses %s', (source) => {
    expect(() => matcher(source)).toThrow(`The regular expression "${source}" is not valid`)
  })

  it.each([
    '(((a{1000}){1000}){1000})',
    '(((){1000}){1000}){1000}',
    '('.repeat(100),
    `(a|${'b'.repeat(2000)})`,
  ])('refuses what is too large: %#', (source) => {
    expect(() => matcher(source)).toThrow('is not valid')
  })

  it('takes a number of steps in proportion to the text where others backtrack', () => {
    for (const source of ['^(a+)+$', '^(a|a)*$', '^(.*)*$x', '(x+x+)+y'])
      expect(matcher(source)(`${'a'.repeat(2000)}!`)).toBe(false)
  })

  it('stops a pattern that is slow over many texts', () => {
    const matches = matcher(`(a?){400}b`)
    expect(() => {
      for (let count = 0; count < 1000; count++) matches('a'.repeat(1000 + count))
    }).toThrow('takes too long to evaluate')
  })
})
