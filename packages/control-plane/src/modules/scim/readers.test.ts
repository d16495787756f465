import { expect, test } from 'vitest'
import { ScimRefusal } from '../../pipeline/scim.ts'
import { rounds } from '../../testing/rounds.ts'
import { urn } from './attributes.ts'
import { readFilter } from './filter.ts'
import { readGroupPatch, readUserPatch } from './patch.ts'

const names = { username: 'userName', externalid: 'externalId', id: 'id' } as const

test.each([
  ['userName eq "a"', 'userName', 'a'],
  ['  USERNAME  EQ  "a b" ', 'userName', 'a b'],
  [`${urn.user}:userName eq "a"`, 'userName', 'a'],
  ['externalId eq "\\"q\\" \\u00e9"', 'externalId', '"q" é'],
  ['id eq ""', 'id', ''],
])('the filter %s', (text, attribute, value) => {
  expect(readFilter(text, names)).toEqual({ attribute, value })
})

test.each([
  '',
  'userName',
  'userName eq a',
  "userName eq 'a'",
  'userName ne "a"',
  'userName eq "a" and id eq "b"',
  'not (userName eq "a")',
  'userName eq "a',
  'userName eq "\\x"',
  'userName eq "\\u0000"',
  'constructor eq "a"',
])('the filter %s is refused', (text) => {
  expect(() => readFilter(text, names)).toThrow(ScimRefusal)
})

test('a filter that is too long is refused', () => {
  expect(() => readFilter(`userName eq "${'a'.repeat(3000)}"`, names)).toThrow(ScimRefusal)
})

test('no body of any shape causes another error than a refusal', () => {
  let seed = 7
  const below = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n
  const pick = <One>(all: readonly One[]): One => all[below(all.length)] as One
  const value = (depth = 0): unknown =>
    pick([
      () => null,
      () => pick([true, false, 'False', 'TRUE', 0, -1, 1e300, '', 'x', '\u{1f600}', 'x'.repeat(600)]),
      () => (depth > 2 ? [] : Array.from({ length: below(4) }, () => value(depth + 1))),
      () =>
        depth > 2
          ? {}
          : Object.fromEntries(Array.from({ length: below(4) }, () => [key(), value(depth + 1)])),
    ])()
  const key = () =>
    pick(['value', 'type', 'members', 'Members', 'active', 'userName', 'displayName', 'id', '__proto__', 'x'])
  const path = () =>
    pick<unknown>([
      'members',
      'active',
      'name.familyName',
      'emails[type eq "work"].value',
      'members[value eq "x"]',
      'members[value eq "',
      `${urn.group}:members`,
      'a b',
      '[',
      '',
      7,
      null,
      'x'.repeat(600),
    ])
  const operation = () =>
    pick<() => unknown>([
      value,
      () => ({ op: pick(['add', 'Replace', 'REMOVE', 'move', 1]), path: path(), value: value() }),
      () => ({ OP: 'replace', value: value() }),
    ])()
  const failures: unknown[] = []
  for (let n = 0; n < rounds({ sample: 3000, all: 100_000 }); n++) {
    const schemas = below(20) === 0 ? value() : [urn.patch]
    const operations = Array.from({ length: below(4) }, operation)
    const body = below(30) === 0 ? value() : { schemas, Operations: operations }
    for (const read of [readUserPatch, (given: unknown) => readGroupPatch(given, 'x')])
      try {
        read(body)
      } catch (error) {
        if (!(error instanceof ScimRefusal)) failures.push({ body, error })
      }
  }
  expect(failures).toEqual([])
})
