import { expect, test } from 'vitest'
import { refusal } from './failure.ts'

const refused = (message: string, help?: string, error_code = 'InvalidRequest') =>
  refusal('disk_create', 400, { request_id: 'r', error_code, message, ...(help && { help }) }).message

test.each([
  ['a rule', 'a disk is attached', 'Detach it first.', 'A disk is attached. Detach it first.'],
  [
    'its advice in the message',
    'write a value for state.',
    'Write a value for state.',
    'Write a value for state.',
  ],
  ['no advice', 'a disk is attached', undefined, 'A disk is attached.'],
  [
    'a message that is fixed',
    'Insufficient capacity: CPU Limit Exceeded: Not enough CPUs.',
    'The silo has 2 vCPUs left.',
    'The silo has 2 vCPUs left.',
  ],
])('%s is told once, as in the console', (_, message, help, said) =>
  expect(refused(message, help)).toBe(said),
)
