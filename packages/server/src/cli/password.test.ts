import { passwordProblem } from '@gantry/api/password.rules'
import { expect, test } from 'vitest'
import { readablePassword } from './password.ts'

test('generated passwords obey the rule for passwords', () => {
  for (let n = 0; n < 200; n++) expect(passwordProblem(readablePassword(), ['recovery'])).toBeUndefined()
})
