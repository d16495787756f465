import { expect, test } from 'vitest'
import { fieldChanges, kindWord } from './words.ts'

test('lists only fields that differ, without bookkeeping', () => {
  const before = { generation: 1, name: 'old', size: 1, rules: [{ a: 1 }], same: 'x' }
  const after = { generation: 2, name: 'new', size: 1, rules: [], same: 'x' }
  expect(fieldChanges({ before, after })).toEqual([
    { field: 'name', before: 'old', after: 'new' },
    { field: 'rules', before: '[{"a":1}]', after: '[]' },
  ])
})

test('lists all fields of a new or deleted object, except empty ones', () => {
  const row = { name: 'db', description: '', instance_id: null, size: 7 }
  expect(fieldChanges({ before: null, after: row })).toEqual([
    { field: 'name', before: '', after: 'db' },
    { field: 'size', before: '', after: '7' },
  ])
  expect(fieldChanges({ before: row, after: null })).toHaveLength(2)
})

test('kinds read as words', () => {
  expect(kindWord('floating-ip')).toBe('floating IP')
  expect(kindWord('ip-pool')).toBe('IP pool')
  expect(kindWord('disk')).toBe('disk')
})
