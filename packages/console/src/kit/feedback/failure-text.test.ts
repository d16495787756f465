import { expect, test } from 'vitest'
import { failureText } from './failure-text.ts'

const quota =
  'Insufficient capacity: Memory Limit Exceeded: Not enough memory to complete request. Stop unused instances.'

test.each([
  ['a message only', 'Disk is gone', undefined, 'Disk is gone'],
  ['a message and its help', 'Disk is gone', 'Create another.', 'Disk is gone. Create another.'],
  ['help that the message contains', 'Gone. Create another.', 'Create another.', 'Gone. Create another.'],
  [
    'help that replaces a quota message',
    quota,
    'Memory quota exceeded: needs 512 GiB, 504 GiB left.',
    'Memory quota exceeded: needs 512 GiB, 504 GiB left.',
  ],
  ['a quota message without help', quota, undefined, quota],
])('%s', (_, message, help, shown) => {
  expect(failureText({ message, ...(help && { help }) })).toBe(shown)
})
