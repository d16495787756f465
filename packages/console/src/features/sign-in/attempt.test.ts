import { expect, test } from 'vitest'
import { nextStepIn } from './attempt.ts'

test.each([
  [
    { details: { second_factor: ['totp', 'recovery_code'] } },
    { does: 'show', kinds: ['totp', 'recovery_code'] },
  ],
  [{ details: { second_factor: [] } }, { does: 'show', kinds: [] }],
  [{ details: { second_factor_set_up: ['passkey'] } }, { does: 'set up', kinds: ['passkey'] }],
  [{ details: { new_password: true } }, { does: 'replace' }],
  [{ details: { new_password: 'yes' } }, undefined],
  [{ details: { etag: '"1"' } }, undefined],
  [{ details: null }, undefined],
  [{ message: 'credentials missing or invalid' }, undefined],
])('%j means %j', (body, step) => expect(nextStepIn(body)).toEqual(step))
