import { expect, test } from 'vitest'
import { recordOf, tableOf } from './table.ts'

const plain = { columns: undefined, isColoured: false }
const disk = {
  id: 'i',
  name: 'data',
  size: 1024 ** 3,
  state: { state: 'attached', instance: 'x' },
  nested: { a: 1 },
}
const schema = {
  properties: {
    id: {},
    name: {},
    description: {},
    size: { $ref: '#/components/schemas/ByteCount' },
    state: {},
    nested: {},
    time_created: {},
  },
}

test('columns are the plain fields that have a value, the name first', () => {
  expect(tableOf([disk, { ...disk, name: 'log', state: { state: 'detached' } }], schema, plain)).toBe(
    'NAME  SIZE   STATE\ndata  1 GiB  attached\nlog   1 GiB  detached\n',
  )
})

test('named columns replace them, and an unknown one is refused', () => {
  expect(tableOf([disk], schema, plain, ['ID', 'time_created'])).toBe('ID  TIME_CREATED\ni   -\n')
  expect(() => tableOf([disk], schema, plain, ['sise'])).toThrow('There is no column sise')
})

test('a narrow terminal gets fewer columns, and never more than its width', () => {
  const table = tableOf([{ name: 'a-rather-long-name', os: 'linux', version: '1' }], undefined, {
    columns: 12,
    isColoured: false,
  })
  expect(table).toBe('NAME\na-rather-lo…\n')
})

test('escape sequences of a server never reach the terminal', () => {
  expect(tableOf([{ name: 'a\u001b]0;x\u0007b\nc' }], undefined, plain)).toBe('NAME\na ]0;x b c\n')
})

test('an object has a line for each field', () => {
  expect(recordOf({ ...disk, time_created: '2026-01-02T03:04:05.678Z', failure: null }, schema, plain)).toBe(
    [
      'id            i',
      'name          data',
      'size          1 GiB',
      'state         attached',
      'nested        {"a":1}',
      'time_created  2026-01-02 03:04:05Z',
      'failure       -',
      '',
    ].join('\n'),
  )
})

test('only a colourful terminal gets a bold head', () => {
  expect(tableOf([{ name: 'a' }], undefined, { columns: 80, isColoured: true })).toBe(
    '\u001b[1mNAME\u001b[22m\na\n',
  )
})
