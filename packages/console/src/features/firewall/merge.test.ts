import { describe, expect, test } from 'vitest'
import { dice, fakeRule } from './firewall.fixtures.ts'
import { applied, type Choice, merge, namesTouched, type RuleChange } from './merge.ts'
import { isSameRule, type Rule } from './rule.ts'

const [a, b, c] = [fakeRule('a'), fakeRule('b'), fakeRule('c')]
const base = [a, b, c]
const names = (rules: readonly Rule[]) => rules.map(({ name }) => name)

describe('changes of different rules', () => {
  test.each<[string, RuleChange, string[]]>([
    ['a new rule comes last', { rule: fakeRule('d') }, ['a', 'b', 'x', 'd']],
    ['a changed rule comes last', { was: 'a', rule: fakeRule('a', { priority: 7 }) }, ['b', 'x', 'a']],
    ['a renamed rule comes last', { was: 'a', rule: fakeRule('z') }, ['b', 'x', 'z']],
    ['a removed rule is missing', { was: 'a' }, ['b', 'x']],
  ])('%s', (_, change, expected) => {
    // The other user has removed c and added x.
    const theirs = [a, b, fakeRule('x')]
    const { changes, conflicts } = merge(base, theirs, [change])
    expect(conflicts).toEqual([])
    expect(names(applied(theirs, changes))).toEqual(expected)
    expect(namesTouched(base, theirs)).toEqual(['c', 'x'])
  })
})

describe('changes of the same rule', () => {
  test('conflict with both versions, and a merge of the two', () => {
    const theirs = [fakeRule('a', { description: 'theirs' }), b, c]
    const mine = fakeRule('a', { filters: { ports: ['80'] }, priority: 7 })
    const { changes, conflicts } = merge(base, theirs, [{ was: 'a', rule: mine }])
    expect(changes).toEqual([])
    expect(conflicts).toMatchObject([{ name: 'a', base: a, theirs: theirs[0], mine }])
    const both = conflicts[0]?.both
    expect(both).toMatchObject({ description: 'theirs', priority: 7, filters: { ports: ['80'] } })
    const result = (choice: Choice) =>
      applied(theirs, conflicts[0]?.changes(choice) ?? []).find(({ name }) => name === 'a')
    expect(result('theirs')?.description).toBe('theirs')
    expect(result('mine')).toMatchObject({ description: '', priority: 7 })
    expect(result('both')).toEqual(both)
  })

  test('cannot be merged if the same field differs', () => {
    const theirs = [fakeRule('a', { priority: 8, description: 'theirs' }), b, c]
    const { conflicts } = merge(base, theirs, [{ was: 'a', rule: fakeRule('a', { priority: 7 }) }])
    expect(conflicts[0]?.both).toBeUndefined()
  })

  test("the other user's removal can be kept or reverted", () => {
    const theirs = [b, c]
    const mine = fakeRule('a', { priority: 7 })
    const { conflicts } = merge(base, theirs, [{ was: 'a', rule: mine }])
    expect(conflicts[0]).toMatchObject({ base: a, theirs: undefined, mine, both: undefined })
    expect(conflicts[0]?.changes('theirs')).toEqual([])
    expect(names(applied(theirs, conflicts[0]?.changes('mine') ?? []))).toEqual(['b', 'c', 'a'])
  })

  test('removing a rule that the other user changed is a conflict', () => {
    const theirs = [fakeRule('a', { status: 'disabled' }), b, c]
    const { conflicts } = merge(base, theirs, [{ was: 'a' }])
    expect(conflicts[0]).toMatchObject({ mine: undefined, theirs: theirs[0] })
    expect(names(applied(theirs, conflicts[0]?.changes('mine') ?? []))).toEqual(['b', 'c'])
  })

  test('a name taken in the meantime is a conflict, and no name occurs twice', () => {
    const theirs = [...base, fakeRule('d', { priority: 1 })]
    for (const change of [{ rule: fakeRule('d') }, { was: 'a', rule: fakeRule('d') }]) {
      const { conflicts } = merge(base, theirs, [change])
      expect(conflicts[0]).toMatchObject({ name: 'd', base: undefined, theirs: theirs[3] })
      const decided = conflicts[0]?.changes('mine') ?? []
      // A resolved conflict does not come up again.
      expect(merge(theirs, theirs, decided)).toEqual({ changes: decided, conflicts: [] })
      expect(names(applied(theirs, decided)).filter((name) => name === 'd')).toEqual(['d'])
    }
  })

  test('changes that the other user already made are skipped', () => {
    const disabled = fakeRule('a', { status: 'disabled' })
    expect(merge(base, [b, c], [{ was: 'a' }])).toEqual({ changes: [], conflicts: [] })
    expect(merge(base, [disabled, b, c], [{ was: 'a', rule: disabled }]).conflicts).toEqual([])
    // An empty list of filters equals none.
    const filtered = fakeRule('d', { filters: { hosts: [], ports: [], protocols: [] } })
    expect(merge(base, [...base, fakeRule('d')], [{ rule: filtered }])).toEqual({
      changes: [],
      conflicts: [],
    })
  })
})

/** Some changes to a list, each of its own rule, with overlapping names. */
function someChanges(roll: (sides: number) => number, rules: readonly Rule[]): RuleChange[] {
  const free = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].filter((name) => !names(rules).includes(name))
  const changed = (name: string, rule: Partial<Rule> = {}) =>
    fakeRule(name, { ...rule, priority: roll(3), description: ['', 'other'][roll(2)] ?? '' })
  const ofOld = rules.flatMap((rule): RuleChange[] => {
    const branch = roll(5)
    if (branch === 0) return [{ was: rule.name }]
    if (branch === 1) return [{ was: rule.name, rule: changed(rule.name, rule) }]
    const name = branch === 2 ? free.pop() : undefined
    return name ? [{ was: rule.name, rule: changed(name, rule) }] : []
  })
  const name = roll(2) ? free.pop() : undefined
  return name ? [...ofOld, { rule: changed(name) }] : ofOld
}

test('rules changed by only one of two users end up as that user left them', () => {
  const roll = dice(4)
  let conflictCount = 0
  for (let round = 0; round < 800; round++) {
    const old = ['a', 'b', 'c', 'd'].slice(0, roll(5)).map((name) => fakeRule(name, { priority: roll(3) }))
    const theirs = applied(old, someChanges(roll, old))
    const ownChanges = someChanges(roll, old)
    let result = merge(old, theirs, ownChanges)
    const own = new Set(ownChanges.flatMap(({ was, rule }) => [was, rule?.name]))
    const isApart = namesTouched(old, theirs).every((name) => !own.has(name))
    const decisions: Choice[] = []
    while (result.conflicts.length > 0) {
      conflictCount++
      const decided = result.conflicts.flatMap((conflict) => {
        const choice = (['mine', 'theirs', 'both'] as const)[roll(conflict.both ? 3 : 2)] ?? 'mine'
        decisions.push(choice)
        return conflict.changes(choice)
      })
      result = merge(theirs, theirs, [...result.changes, ...decided])
    }
    const saved = applied(theirs, result.changes)
    const at = (rules: readonly Rule[], name: string) => rules.find((rule) => rule.name === name)
    const same = (one?: Rule, other?: Rule) => (one && other ? isSameRule(one, other) : one === other)

    // The properties, as lists that must be empty, so that each round makes the same assertions.
    const wrong = {
      twice: names(saved).filter((name, index, all) => all.indexOf(name) !== index),
      overwritten: [...new Set([...names(old), ...names(theirs), ...names(saved)])].filter(
        (name) => !own.has(name) && !same(at(saved, name), at(theirs, name)),
      ),
      needless: isApart ? decisions : [],
      lost:
        isApart || decisions.every((choice) => choice === 'mine')
          ? ownChanges.filter(({ was, rule }) =>
              rule
                ? !same(at(saved, rule.name), rule)
                : at(saved, was ?? '') && !ownChanges.some((other) => other.rule?.name === was),
            )
          : [],
    }
    expect(wrong).toEqual({ twice: [], overwritten: [], needless: [], lost: [] })
  }
  expect(conflictCount).toBeGreaterThan(100)
})
