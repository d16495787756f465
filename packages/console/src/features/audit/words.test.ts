import { expect, test } from 'vitest'
import { fieldChanges, kindWord } from './words.ts'

test('only what differs is told, and not what every change raises', () => {
  const before = { generation: 1, name: 'old', size: 1, rules: [{ a: 1 }], same: 'x' }
  const after = { generation: 2, name: 'new', size: 1, rules: [], same: 'x' }
  expect(fieldChanges({ before, after })).toEqual([
    { field: 'name', before: 'old', after: 'new' },
    { field: 'rules', before: '[{"a":1}]', after: '[]' },
  ])
})

test('a new or deleted object is told whole, without its empty fields', () => {
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
