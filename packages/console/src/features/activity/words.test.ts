import { expect, test } from 'vitest'
import type { ActivityChange, ActivityEntry } from './queries.ts'
import { shownDifferences } from '#/kit/page/difference-words.ts'
import { lengthText } from '#/kit/page/length-text.ts'
import { byText, effectsOf, sentenceOf } from './words.ts'

const change = (more: Partial<ActivityChange>): ActivityChange => ({
  kind: 'instance',
  id: '11111111-2222-4333-8444-555555555555',
  name: 'db-1',
  action: 'deleted',
  other: null,
  differences: [],
  ...more,
})
const said = (
  changes: ActivityChange[],
  outcome: ActivityEntry['outcome'] = 'done',
  changeCount = changes.length,
) => {
  const { before, name, after } = sentenceOf({ changes, outcome, changeCount })
  return `${before}${name}${after}`
}

test('a sentence names the object first and counts what went with it', () => {
  const nic = change({ kind: 'instance-network-interface', name: 'nic0' })
  const disks = [change({ kind: 'disk', name: 'a' }), change({ kind: 'disk', name: 'b' })]
  expect(said([change({})])).toBe('Deleted instance db-1')
  expect(said([change({}), nic, ...disks])).toBe('Deleted instance db-1, network interface nic0 and 2 disks')
  expect(said([change({}), nic], 'done', 9)).toBe('Deleted instance db-1, network interface nic0 and more')
})

test('an attachment says to what', () => {
  const other = { id: 'x', name: 'db-1' }
  expect(said([change({ kind: 'disk', name: 'data', action: 'attached', other })])).toBe(
    'Attached disk data to instance db-1',
  )
  expect(said([change({ kind: 'floating-ip', name: 'web', action: 'detached', other })])).toBe(
    'Detached floating IP web from instance db-1',
  )
})

test('a failure is told of the object, and things without a name have none', () => {
  expect(said([change({ action: 'failed' })], 'failed')).toBe('Instance db-1 failed')
  expect(said([change({ kind: 'policy', name: null, action: 'edited' })])).toBe('Edited access')
  const other = { id: 'x', name: 'data' }
  expect(said([change({ kind: 'snapshot', name: 'nightly', action: 'took', other })])).toBe(
    'Took snapshot nightly of disk data',
  )
})

test('a refusal says what was asked for', () => {
  expect(said([change({})], 'refused')).toBe('Refused to delete instance db-1')
  const other = { id: 'x', name: 'atlas' }
  expect(said([change({ name: null, action: 'created', other })], 'refused')).toBe(
    'Refused to create an instance in atlas',
  )
})

test('a change of tags says from what to what', () => {
  const tagged = (...tags: [key: string, before: string | null, after: string | null][]) =>
    said([
      change({
        action: 'tagged',
        differences: tags.map(([key, before, after]) => ({ field: `tags.${key}`, before, after })),
      }),
    ])
  expect(tagged(['env', 'test', 'prod'])).toBe('Set tag env from test to prod of instance db-1')
  expect(tagged(['env', null, 'prod'])).toBe('Set tag env to prod of instance db-1')
  expect(tagged(['env', null, ''])).toBe('Set tag env of instance db-1')
  expect(tagged(['env', 'prod', ''])).toBe('Set tag env from prod to no value of instance db-1')
  expect(tagged(['env', 'prod', null])).toBe('Removed tag env from instance db-1')
  expect(tagged(['a', null, '1'], ['b', '2', null])).toBe('Changed 2 tags of instance db-1')
  expect(shownDifferences([{ field: 'tags.env', before: null, after: '' }])).toEqual([
    { label: 'Tag env', before: '', after: 'no value' },
  ])
})

test('effects elsewhere are sentences of their own', () => {
  const changes = [
    change({}),
    change({ kind: 'disk', name: 'data', action: 'detached' }),
    change({ kind: 'external-ip', name: '203.0.113.7' }),
  ]
  expect(effectsOf({ changes, changeCount: 3, outcome: 'done' })).toEqual(['Detached disk data.'])
})

test('the actor is a person with means, or the platform with a reason', () => {
  const actor = {
    kind: 'user',
    id: 'x',
    name: 'mara',
    authMethod: 'session_cookie',
    userAgent: 'Mozilla/5.0',
    token: null,
  } as const
  expect(byText({ actor, plannedBy: null, reason: null, outcome: 'done' })).toBe('mara, in the console')
  const plannedBy = { id: 'y', name: 'noor' }
  expect(byText({ actor, plannedBy, reason: null, outcome: 'done' })).toBe(
    'mara, in the console, by a plan of noor',
  )
  const token = { ...actor, authMethod: 'access_token', userAgent: 'terraform/1.9 (x)' }
  expect(byText({ actor: token, plannedBy: null, reason: null, outcome: 'done' })).toBe(
    'mara, with an access token by terraform',
  )
  expect(
    byText({
      actor: { ...token, token: { id: 'z', name: 'nightly' } },
      plannedBy: null,
      reason: null,
      outcome: 'done',
    }),
  ).toBe('mara, with access token nightly by terraform')
  const none = { id: null, name: null, authMethod: null, userAgent: null, token: null }
  expect(
    byText({
      actor: { kind: 'platform', ...none },
      plannedBy: null,
      reason: 'It had failed.',
      outcome: 'done',
    }),
  ).toBe('Platform: It had failed.')
  expect(byText({ actor: { kind: 'user', ...none }, plannedBy: null, reason: null, outcome: 'done' })).toBe(
    'An operator',
  )
})

test('differences are in the words of the screen', () => {
  const roles = (...names: string[]) => names.map((identity_id) => ({ identity_id, role_name: 'viewer' }))
  expect(
    shownDifferences([
      { field: 'ncpus', before: 8, after: 16 },
      { field: 'memory', before: 2 ** 36, after: 2 ** 37 },
      { field: 'custom_router', before: null, after: 'edge' },
      { field: 'is_primary', before: false, after: true },
      { field: 'role_assignments', before: roles('mara', 'tomas'), after: roles('tomas', 'ada') },
    ]),
  ).toEqual([
    { label: 'CPU', before: '8 vCPU', after: '16 vCPU' },
    { label: 'Memory', before: '64 GiB', after: '128 GiB' },
    { label: 'Custom router', before: '', after: 'edge' },
    { label: 'Primary', before: 'No', after: 'Yes' },
    { label: 'Roles', before: 'mara viewer', after: 'ada viewer' },
  ])
})

test('lengths have two units at most', () => {
  expect([40, 6200, 41_000, 72_000, 7_500_000].map(lengthText)).toEqual([
    '0.04 s',
    '6.2 s',
    '41 s',
    '1 min 12 s',
    '2 h 5 min',
  ])
})
