import { expect, test } from 'vitest'
import { OutOfSpace } from '../blocks/block-store.ts'
import { fullRefusal } from './out-of-space.ts'

test.each(['ENOSPC', 'EDQUOT', '53100'])('%s is a refusal with advice', (code) => {
  const error = Object.assign(new Error('no'), { code })
  expect(fullRefusal(error)).toMatchObject({
    status: 507,
    code: 'InsufficientCapacity',
    extra: {
      help: 'Delete unused resources, or ask the operator to free space on the volume of the server.',
    },
  })
})

test('a store that does not know its free space gives only advice', () => {
  expect(fullRefusal(new OutOfSpace('full'))?.extra).toEqual({
    help: 'Delete disks, snapshots and images, or ask the operator for more storage.',
  })
})

test.each([new Error('ENOSPC'), { code: '23505' }, undefined])('%s is not about space', (error) => {
  expect(fullRefusal(error)).toBeUndefined()
})
