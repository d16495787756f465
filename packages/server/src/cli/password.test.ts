import { passwordProblem } from '@gantry/api/people/password.rules'
import { expect, test } from 'vitest'
import { readablePassword } from './password.ts'

test('generated passwords satisfy the password rule', () => {
  for (let n = 0; n < 200; n++) expect(passwordProblem(readablePassword(), ['recovery'])).toBeUndefined()
})
