import { expect, test } from 'vitest'
import { Failure } from '#/data/failure.ts'
import { isAboutDefaultVpc } from './delete-project.ts'

test.each([
  ['Project to be deleted contains a vpc: default', 400, true],
  ['Project to be deleted contains a vpc: default-2', 400, false],
  ['Project to be deleted contains an instance: default', 400, false],
  ['Project to be deleted contains a vpc: default', 403, false],
])("%s (%i) concerns the project's default network: %s", (message, statusCode, expected) => {
  expect(isAboutDefaultVpc(new Failure({ message, statusCode }))).toBe(expected)
})
