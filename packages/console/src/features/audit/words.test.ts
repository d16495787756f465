import { isUnnamedActor } from '@gantry/api/system/audit.rules'
import { expect, test } from 'vitest'
import {
  actorText,
  changedText,
  changeWords,
  detailItems,
  fieldChanges,
  objectOf,
  operationOf,
} from './words.ts'

test('lists only fields that differ, without bookkeeping', () => {
  const before = { generation: 1, name: 'old', size: 1, rules: [{ a: 1 }], same: 'x' }
  const after = { generation: 2, name: 'new', size: 1, rules: [], same: 'x' }
  expect(fieldChanges({ before, after })).toEqual([
    { field: 'name', before: 'old', after: 'new' },
    { field: 'rules', before: 'A: 1', after: '' },
  ])
})

test('lists all fields of a new or deleted object, except empty ones', () => {
  const row = { name: 'db', description: '', instance_id: null, size: 7 }
  expect(fieldChanges({ before: null, after: row })).toEqual([
    { field: 'name', before: '', after: 'db' },
    { field: 'size', before: '', after: '7 B' },
  ])
  expect(fieldChanges({ before: row, after: null })).toHaveLength(2)
})

test('a credential is its owner’s', () => {
  expect(changeWords({ kind: 'second-factor', op: 'update', name: 'ana' })).toBe('Changed second factors of')
  expect(changeWords({ kind: 'second-factor', op: 'update', name: null })).toBe('Changed second factor')
  expect(changeWords({ kind: 'instance', op: 'delete', name: 'db-1' })).toBe('Deleted instance')
  expect(changedText({ changes: [], changeCount: 0 })).toBe('')
})

test('a user reads as the filter takes it', () => {
  const operator = { kind: 'silo_user', siloUserId: 'u', siloId: 's' } as const
  const nobody = { kind: 'unauthenticated' } as const
  const named = { actorName: null, triedName: null }
  expect(actorText({ ...named, actor: operator, actorName: 'ana' })).toBe('ana')
  expect(actorText({ ...named, actor: nobody, triedName: 'bo…' })).toBe('bo…')
  expect(isUnnamedActor(actorText({ ...named, actor: operator }), 'operator')).toBe(true)
  expect(isUnnamedActor(actorText({ ...named, actor: nobody }), 'unauthenticated')).toBe(true)
  expect(isUnnamedActor('AN OPERATOR', 'operator')).toBe(true)
  expect(isUnnamedActor('an operator of mine', 'operator')).toBe(false)
})

test.each([
  ['IP pool update', 'ip_pool_update'],
  ['ip_pool_update', 'ip_pool_update'],
  [' Login local ', 'login_local'],
])('the operation %j is %s', (words, id) => expect(operationOf(words)).toBe(id))

test.each([
  ['db-1', 'db-1'],
  ['instance', 'instance'],
  ['Deleted instance db-1', 'db-1'],
  ['IP pool audited', 'audited'],
  ['network interface net0', 'net0'],
  ['ana of ops', 'ana of ops'],
])('the object %j is %s', (words, name) => expect(objectOf(words)).toBe(name))

test('details have labels, and none is empty', () => {
  expect(detailItems({ seconds: 95, bytes_in: 2048, instance: 'db-1', reason: null })).toEqual([
    { label: 'Duration', value: '95 s' },
    { label: 'Typed', value: '2 KiB' },
    { label: 'Instance', value: 'db-1' },
  ])
})
