import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
// @ts-expect-error -- the tools are plain modules
import { operationTable, tableFile } from './operation-table.mjs'

test('every operation has a screen or a reason to have none, and docs/operations.md says so (else: npm run generate)', () => {
  expect(readFileSync(tableFile, 'utf8')).toBe(operationTable())
})
