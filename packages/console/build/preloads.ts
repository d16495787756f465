import type { Plugin } from 'vite'
import { chunkOf, filesOf } from './chunk-files.ts'

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
