import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { unrepeated } from '../../e2e/support/recordings/stories.ts'
import { root } from './builds.mjs'

const sources = readdirSync(path.join(root, 'e2e'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.e2e.ts') && !file.includes('node_modules'))
  .map((file) => readFileSync(path.join(root, 'e2e', file), 'utf8'))
  .join('\n')

test('each browser test that is not repeated on an empty installation exists, and is listed once', () => {
  // Titles of a table differ in a part that is a parameter in the source.
  const isThere = (title: string) =>
    sources.includes(title) || sources.includes(title.replace(/to \S+ opens/, 'to ${foreign} opens'))
  expect(unrepeated.filter((title) => !isThere(title))).toEqual([])
  expect(unrepeated).toHaveLength(new Set(unrepeated).size)
})
