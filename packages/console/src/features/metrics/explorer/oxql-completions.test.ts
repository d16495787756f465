import { expect, test } from 'vitest'
import { projectTimeseries } from './timeseries-descriptions.ts'
import { oxqlCompletions } from './oxql-completions.ts'

const words = (before: string) =>
  oxqlCompletions(before, projectTimeseries).completions.map(({ word }) => word)

test.each([
  ['', ['get']],
  ['{ ', ['get']],
  ['{ get virtual_disk:reads; ', ['get']],
  ['get virtual_disk:reads | ', ['filter', 'align', 'group_by', 'join', 'first', 'last']],
  ['get virtual_disk:reads | fil', ['filter', 'align', 'group_by', 'join', 'first', 'last']],
  ['get virtual_disk:reads | align ', ['mean_within', 'interpolate']],
  ['get virtual_disk:reads | align mean_within(1m) | group_by [disk_id], ', ['mean', 'sum']],
  ['get virtual_disk:reads ', []],
  ['get virtual_disk:reads | filter disk_id == "ab', []],
  ['get virtual_disk:reads | filter disk_id == ', []],
  ['get virtual_disk:reads | first ', []],
])('after %j: %j', (before, expected) => expect(words(before)).toEqual(expected))

test('the timeseries of projects follow `get`, with description and units, and replace the partial word', () => {
  const { from, completions } = oxqlCompletions('get virtual_disk:re', projectTimeseries)
  expect(from).toBe(4)
  expect(completions).toContainEqual({
    word: 'virtual_disk:reads',
    kind: 'timeseries',
    description: 'Read operations (count)',
  })
  expect(completions.some(({ word }) => word.startsWith('sled_data_link'))).toBe(false)
})

test.each([
  'get virtual_disk:reads | filter ',
  'get virtual_disk:reads | filter disk_id == "a | {" && ',
  'get virtual_disk:reads | filter disk_id == "a" || ',
  'get virtual_disk:reads | group_by [disk_id, ',
])('fields after %j are those of the timeseries', (before) => {
  expect(words(before)).toContain('attached_instance_id')
  expect(words(before)).not.toContain('vcpu_id')
})

test('a time follows a comparison with one', () => {
  expect(words('get virtual_disk:reads | filter timestamp > ')).toContain('@now() - 1h')
  expect(oxqlCompletions('get a:b | filter timestamp > @no', []).from).toBe(29)
})

test('without a known timeseries, the fields of all are suggested', () => {
  expect(words('get what:ever | group_by [')).toEqual(expect.arrayContaining(['vcpu_id', 'disk_id']))
})
