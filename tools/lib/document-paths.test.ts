import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error -- the tools are plain modules
import { root } from './builds.mjs'

/** A file of the sources, or a folder within a folder, in backticks; placeholders are in angle brackets. */
const named = /`((?:[\w.$-]+\/)+(?:[\w.$-]+\.(?:tsx?|mjs|js|css|service))|(?:[\w.$-]+\/){2,})`/g
const notOurs = new Set(['node_modules', 'dist', 'test-results'])

/** Files below a folder, without what is installed, built or hidden. */
function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const at = `${folder}/${entry.name}`
    if (entry.isFile()) yield at
    else if (entry.isDirectory() && !notOurs.has(entry.name) && !entry.name.startsWith('.'))
      yield* filesIn(at)
  }
}

test('every path of the sources that a document names exists', () => {
  const files = [...filesIn('')]
  const exists = (at: string): boolean =>
    at.endsWith('/')
      ? files.some((file) => file.includes(`/${at}`))
      : files.some((file) => file.endsWith(`/${at}`))
  const missing = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((document) =>
      [...readFileSync(path.join(root, document), 'utf8').matchAll(named)]
        .map(([, at = '']) => at)
        .filter((at) => !exists(at))
        .map((at) => `${document}: ${at}`),
    )
  expect(missing).toEqual([])
})
