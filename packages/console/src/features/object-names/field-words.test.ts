import { expect, test } from 'vitest'
import { fieldWords, isId, objectNames, wholeField } from './field-words.ts'

const [web, db] = ['11111111-2222-4333-8444-555555555555', '66666666-7777-4888-9999-aaaaaaaaaaaa']
const instance = (id: string, name: string) => ({ id, kind: 'instance', name })

test('a field of an object with a known name shows the name', () => {
  const names = objectNames([instance(web, 'web-1')])
  expect(fieldWords({ name: 'instance_id', value: web }, names)).toBe('instance=web-1')
  expect(fieldWords({ name: 'attached_instance_id', value: web }, names)).toBe('attached_instance=web-1')
  expect(fieldWords({ name: 'id', value: web }, names)).toBe('id=web-1')
  expect(wholeField({ name: 'instance_id', value: web })).toBe(`instance_id=${web}`)
})

test('an id without a known name stays, shortened; other values stay as they are', () => {
  expect(fieldWords({ name: 'sled_id', value: db }, new Map())).toBe('sled_id=66666…aaaaa')
  expect(fieldWords({ name: 'state', value: 'run' }, new Map())).toBe('state=run')
})

test('objects of one kind and name are told apart by their ids, those of different kinds are not', () => {
  const disk = { id: crypto.randomUUID(), kind: 'disk', name: 'web' }
  expect([...objectNames([instance(web, 'web'), instance(db, 'web'), disk]).values()]).toEqual([
    'web(11111…55555)',
    'web(66666…aaaaa)',
    'web',
  ])
})

test('an id is a UUID, whatever the name of its field', () => {
  expect(isId({ name: 'id', value: db })).toBe(true)
  expect(isId({ name: 'vcpu_id', value: '0' })).toBe(false)
})
