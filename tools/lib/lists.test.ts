import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './builds.mjs'
import { lists } from './lists.mjs'

const written = lists().map(([file, text]) => [path.relative(root, file), text] as const)

test.each(written)('%s is that of the sources (else: npm run generate)', (file, text) =>
  expect(readFileSync(path.join(root, file), 'utf8')).toBe(text),
)
