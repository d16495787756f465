import { expect, test } from 'vitest'
import { Failure } from '#/data/failure.ts'
import { fakeRule } from './firewall.fixtures.ts'
import { applied, type Choice, type Conflict, type RuleChange } from './merge.ts'
import type { FirewallRule, Rule } from './rule.ts'
import { saveChanges } from './save.ts'

/** A server with one list, which other users change between a read and a save. */
function server(start: readonly FirewallRule[], { etags = true } = {}) {
  let rules = start
  let generation = 1
  const before: (() => void)[] = []
  const put = (next: readonly Rule[]) => {
    rules = next.map((rule) => fakeRule(rule.name, rule))
    generation++
  }
  const etag = () => (etags ? `"${generation}"` : undefined)
  return {
    rules: () => rules,
    seen: () => ({ rules, etag: etag() }),
    others: (...changes: RuleChange[]) => put(applied(rules, changes)),
    /** Changes by other users just before the next save arrives. */
    meanwhile: (...steps: (() => void)[]) => before.push(...steps),
    read: () => Promise.resolve({ rules, etag: etag() }),
    send(this: void, next: Rule[], ifMatch: string | undefined) {
      before.shift()?.()
      if (ifMatch !== undefined && ifMatch !== etag())
        return Promise.reject(new Failure({ statusCode: 412, message: 'changed' }))
      put(next)
      return Promise.resolve(rules)
    },
  }
}
const never = (): Promise<undefined> => Promise.reject(new Error('nothing to decide'))
const always = (choice: Choice) => (conflicts: readonly Conflict[]) =>
  Promise.resolve(conflicts.map(() => choice))
const shown = (rules: readonly Rule[]) => rules.map(({ name, priority }) => `${name}${priority}`).sort()
const start = [fakeRule('a'), fakeRule('b')]
const ownChanges = [{ was: 'a', rule: fakeRule('a', { priority: 7 }) }]

test.each([true, false])('keeps what others have saved meanwhile, with ETags %s', async (etags) => {
  const list = server(start, { etags })
  const seen = list.seen()
  list.others({ was: 'b', rule: fakeRule('b', { priority: 9 }) }, { rule: fakeRule('c') })
  expect(await saveChanges(list, never, seen, ownChanges)).toEqual({
    merged: ['b', 'c'],
    dropped: [],
    isChanged: true,
  })
  expect(shown(list.rules())).toEqual(['a7', 'b9', 'c100'])
})

test('succeeds however often other users save first', async () => {
  const list = server(start)
  list.meanwhile(
    () => list.others({ rule: fakeRule('c') }),
    () => list.others({ was: 'c' }, { rule: fakeRule('d') }),
  )
  expect((await saveChanges(list, never, list.seen(), ownChanges)).merged.toSorted()).toEqual(['c', 'd'])
  expect(shown(list.rules())).toEqual(['a7', 'b100', 'd100'])
})

test.each<[Choice, string]>([
  ['mine', 'a7'],
  ['theirs', 'a100'],
  ['both', 'a7'],
])('the user resolves a conflict over the same rule: %s', async (choice, expected) => {
  const list = server(start)
  const seen = list.seen()
  list.others({ was: 'a', rule: fakeRule('a', { description: 'theirs' }) })
  const { dropped, isChanged } = await saveChanges(list, always(choice), seen, ownChanges)
  expect(isChanged).toBe(choice !== 'theirs')
  expect(dropped.map(({ name }) => name)).toEqual(choice === 'theirs' ? ['a'] : [])
  expect(shown(list.rules())).toEqual([expected, 'b100'])
  expect(list.rules().find(({ name }) => name === 'a')?.description).toBe(choice === 'mine' ? '' : 'theirs')
})

test('backing out of a conflict changes nothing', async () => {
  const list = server(start)
  const seen = list.seen()
  list.others({ was: 'a' })
  await expect(saveChanges(list, () => Promise.resolve(undefined), seen, ownChanges)).rejects.toThrow(
    'Someone else has changed a. Nothing is saved yet.',
  )
  expect(shown(list.rules())).toEqual(['b100'])
})

test('a resolved change that then meets a taken name is a conflict again', async () => {
  const list = server(start)
  const seen = list.seen()
  list.others({ was: 'a', rule: fakeRule('a', { priority: 1 }) }, { rule: fakeRule('z') })
  const conflictNames: string[] = []
  const decide = (conflicts: readonly Conflict[]) => {
    conflictNames.push(...conflicts.map(({ name }) => name))
    return always('mine')(conflicts)
  }
  await saveChanges(list, decide, seen, [{ was: 'a', rule: fakeRule('z', { priority: 7 }) }])
  expect(conflictNames).toEqual(['a', 'z'])
  expect(shown(list.rules())).toEqual(['b100', 'z7'])
})

test('passes other refusals on', async () => {
  const list = server(start)
  list.send = () => Promise.reject(new Failure({ statusCode: 403, message: 'no' }))
  await expect(saveChanges(list, never, list.seen(), ownChanges)).rejects.toThrow('no')
})
