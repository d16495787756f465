import { expect, test } from 'vitest'
import { isFull, isServerFull } from './full-volume.ts'

const failed = (code: string) => new Error('it failed', { cause: Object.assign(new Error('no'), { code }) })

test.each([
  ['53100', true],
  ['ENOSPC', false],
  ['EDQUOT', false],
])('%s is a full volume; of the database server: %s', (code, ofServer) => {
  expect(isFull(failed(code))).toBe(true)
  expect(isServerFull(failed(code))).toBe(ofServer)
})

test.each(['53200', 'EACCES'])('%s is no full volume', (code) => {
  expect(isFull(failed(code))).toBe(false)
  expect(isServerFull(failed(code))).toBe(false)
})
