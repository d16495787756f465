import type { Plugin, Rolldown } from 'vite'

type OutputBundle = Rolldown.OutputBundle
type OutputChunk = Rolldown.OutputChunk

/**
 * Tells before-paint.js what each of the two applications consists of beyond the main script, so that the one that is
 * asked for is fetched at once and the other not at all.
 * @param applications The module of each, by the attribute that names its files.
 */
export function preloads(applications: Record<string, string>): Plugin {
  return {
    name: 'preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {}, chunk }) => {
        const entry = new Set(chunk && filesOf(bundle, chunk))
        const attributes = Object.entries(applications).map(([attribute, module]) => {
          const files = filesOf(bundle, chunkOf(bundle, module)).filter((file) => !entry.has(file))
          return ` ${attribute}="${files.map((file) => `/${file}`).join(' ')}"`
        })
        return html.replace('src="/before-paint.js"', (script) => script + attributes.join(''))
      },
    },
  }
}

function chunkOf(bundle: OutputBundle, module: string): OutputChunk {
  const found = Object.values(bundle).find(
    (output) => output.type === 'chunk' && output.moduleIds.includes(module),
  )
  if (found?.type !== 'chunk') throw new Error(`No chunk holds ${module}.`)
  return found
}

/** A chunk and all that it imports. */
function filesOf(bundle: OutputBundle, chunk: OutputChunk, seen = new Set<string>()): string[] {
  if (seen.has(chunk.fileName)) return []
  seen.add(chunk.fileName)
  for (const file of chunk.imports) {
    const imported = bundle[file]
    if (imported?.type === 'chunk') filesOf(bundle, imported, seen)
  }
  return [...seen]
}
