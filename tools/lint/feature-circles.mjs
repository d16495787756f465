// Features and their parts form layers: none may import another that leads back to it, through any files.
import fs from 'node:fs'
import path from 'node:path'
import { importedFile, partOf } from './walls.mjs'

const folder = 'packages/console/src/features'
const specifiers = /(?:from|import\()\s*'([^']+)'/g

/**
 * The features that each feature imports, directly or indirectly.
 * @param {Iterable<{ file: string, text: string }>} sources Files by their path from the repository's root.
 * @returns {Map<string, Set<string>>}
 */
export function featureGraph(sources) {
  /** @type {Map<string, Set<string>>} */
  const graph = new Map()
  for (const { file, text } of sources) {
    const own = partOf(file)
    if (!own) continue
    const imported = graph.get(own) ?? new Set()
    graph.set(own, imported)
    for (const [, specifier = ''] of text.matchAll(specifiers)) {
      const other = partOf(importedFile(file, specifier) ?? '')
      if (other?.startsWith('features/') && other !== own) imported.add(other)
    }
  }
  // Iterating a set also visits entries added meanwhile.
  for (const imported of graph.values())
    for (const each of imported) for (const next of graph.get(each) ?? []) imported.add(next)
  return graph
}

/** @type {Map<string, Set<string>> | undefined} */
let known

/**
 * @param {string} root The repository's root.
 * @param {string} from The importing file, from the repository's root.
 * @param {string} specifier
 * @returns {string | undefined} Why the import closes a circle of features, if it does.
 */
export function circleProblem(root, from, specifier) {
  const own = partOf(from)
  const other = partOf(importedFile(from, specifier) ?? '')
  if (!own?.startsWith('features/') || !other?.startsWith('features/') || own === other) return undefined
  known ??= featureGraph(readFeatures(root))
  return known.get(other)?.has(own)
    ? `${other} imports ${own} too: one of them must be above the other.`
    : undefined
}

/** @param {string} root */
function* readFeatures(root) {
  for (const name of fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }))
    if (/\.tsx?$/.test(name)) {
      const file = path.posix.join(folder, name)
      yield { file, text: fs.readFileSync(path.join(root, file), 'utf8') }
    }
}
