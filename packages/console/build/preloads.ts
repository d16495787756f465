import type { Plugin } from 'vite'
import { chunkOf, filesOf } from './chunk-files.ts'

/** Text is set in it on every page. Without the hint it is requested when the first text has been laid out. */
const textFont = /atkinson-hyperlegible-next.*\.woff2$/
const fontPreload = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' }

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
        const font = Object.keys(bundle).find((file) => textFont.test(file))
        return {
          html: html.replace('src="/before-paint.js"', (script) => script + attributes.join('')),
          tags: font ? [{ tag: 'link', attrs: { ...fontPreload, href: `/${font}` } }] : [],
        }
      },
    },
  }
}
