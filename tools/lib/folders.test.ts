import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { importedFile } from '../lint/walls.mjs'
import { root } from './builds.mjs'

const notOurs = new Set(['node_modules', 'dist', '.cache'])

/** Each folder of sources, with its files. */
function* foldersIn(folder: string): Generator<{ folder: string; files: string[] }> {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true })
  yield { folder, files: entries.filter((one) => one.isFile()).map(({ name }) => name) }
  for (const entry of entries)
    if (entry.isDirectory() && !notOurs.has(entry.name)) yield* foldersIn(path.posix.join(folder, entry.name))
}

const packages = ['api', 'console', 'control-plane', 'preview', 'server'].map(
  (name) => `packages/${name}/src`,
)
const folders = [...packages, 'e2e', 'gates', 'bench', 'tools'].flatMap((folder) => [...foldersIn(folder)])

/** Folders whose files are found by their names: URLs, numbers, and one picture for each screen. */
const long = /^packages\/console\/src\/routes\/|\/db\/migrations$|^e2e\/pictures$/
const isGenerated = (file: string) => file.includes('.gen.')

test('no folder has more than 40 files', () => {
  const large = folders
    .filter(({ folder }) => !long.test(folder))
    .map(({ folder, files }) => ({ folder, count: files.filter((file) => !isGenerated(file)).length }))
    .filter(({ count }) => count > 40)
  expect(large).toEqual([])
})

const sources = folders.flatMap(({ folder, files }) =>
  files.filter((file) => /\.(tsx?|mjs|js)$/.test(file)).map((file) => path.posix.join(folder, file)),
)

const specifiers = /(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g

/** The files that a file imports, also for types alone, and also when it runs. */
const importsOf = (file: string): string[] =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(specifiers)].flatMap(([, specifier = '']) => {
    const to = importedFile(file, specifier)
    return to !== undefined && existsSync(path.join(root, to)) ? [to] : []
  })

/** Files that import each other in a circle, found by removing all others. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  let left = new Set(graph.keys())
  for (let before = 0; before !== left.size;) {
    before = left.size
    const imported = new Set([...left].flatMap((file) => graph.get(file) ?? []))
    left = new Set(
      [...left].filter((file) => imported.has(file) && graph.get(file)?.some((each) => left.has(each))),
    )
  }
  return [...left]
}

test('no files import each other in a circle', () => {
  const graph = new Map(sources.map((file) => [file, importsOf(file)]))
  expect([...graph.values()].flat().length).toBeGreaterThan(sources.length)
  expect(circlesIn(graph)).toEqual([])
})

test('a circle is found, and files beside it are not', () => {
  const graph = new Map([
    ['above', ['one']],
    ['one', ['other']],
    ['other', ['one', 'below']],
    ['below', []],
  ])
  expect(circlesIn(graph)).toEqual(['one', 'other'])
})
