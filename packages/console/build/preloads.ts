import type { Plugin } from 'vite'
import { chunkOf, filesOf } from './chunk-files.ts'

/** Every page uses this font. Without the hint, the browser requests it only after the first text layout. */
const textFont = /atkinson-hyperlegible-next.*\.woff2$/
const fontPreload = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' }

/**
 * Tells before-paint.js which files each of the two applications needs beyond the main script, so that it fetches the
 * requested one at once and skips the other.
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
        const font = Object.keys(bundle).find((file) => textFont.test(file))
        return {
          html: html.replace('src="/before-paint.js"', (script) => script + attributes.join('')),
          tags: font ? [{ tag: 'link', attrs: { ...fontPreload, href: `/${font}` } }] : [],
        }
      },
    },
  }
}
