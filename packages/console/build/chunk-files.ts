import { relative } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

/** A chunk and everything it imports. */
export function filesOf(bundle: Bundle, chunk: Chunk, seen = new Set<string>()): string[] {
  if (seen.has(chunk.fileName)) return []
  seen.add(chunk.fileName)
  for (const file of chunk.imports) {
    const imported = bundle[file]
    if (imported?.type === 'chunk') filesOf(bundle, imported, seen)
  }
  return [...seen]
}

export function chunkOf(bundle: Bundle, module: string): Chunk {
  const found = chunksOf(bundle).find(({ moduleIds }) => moduleIds.includes(module))
  if (!found) throw new Error(`No chunk holds ${module}.`)
  return found
}

const chunksOf = (bundle: Bundle): Chunk[] =>
  Object.values(bundle).filter((output) => output.type === 'chunk')

/** What every page loads of all others: their route files without the parts that load on their own, and the tree. */
const routeTreeOf = (bundle: Bundle): string =>
  chunksOf(bundle)
    .flatMap(({ modules }) => Object.entries(modules))
    .flatMap(([id, { code }]) =>
      /src\/(routes\/.*\.tsx|routeTree\.gen\.ts)$/.test(id) && code ? [code] : [],
    )
    .join('\n')

/**
 * Records the files of each page by its entry module (`src/console.tsx`, a route file). The build measures first
 * loads from them (tools/lib/budget.mjs).
 */
export const chunkFiles: Plugin = {
  name: 'chunk-files',
  apply: 'build',
  generateBundle(_options, bundle) {
    const begins =
      /src\/(console|sign-in\/open)\.tsx$|index\.html$|src\/routes\/.*(\.tsx|tsr-split=component.*)$/
    const root = this.environment.config.root
    const files: Record<string, string[]> = {}
    for (const chunk of chunksOf(bundle))
      for (const id of chunk.moduleIds.filter((each) => begins.test(each))) {
        const name = relative(root, id).replace(/\?tsr-split=component.*/, '')
        files[name] = [...new Set([...(files[name] ?? []), ...filesOf(bundle, chunk)])]
      }
    this.emitFile({ type: 'asset', fileName: '.vite/chunk-files.json', source: JSON.stringify(files) })
    this.emitFile({ type: 'asset', fileName: '.vite/route-tree.js', source: routeTreeOf(bundle) })
  },
}
