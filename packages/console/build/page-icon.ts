import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const file = resolve(import.meta.dirname, '../public/mark.svg')

/** Writes the icon into the page, which saves every first load a request. The file itself is for other pages. */
export const pageIcon: Plugin = {
  name: 'page-icon',
  transformIndexHtml: (html) =>
    html.replace(
      'href="/mark.svg"',
      `href="data:image/svg+xml,${encodeURIComponent(readFileSync(file, 'utf8'))}"`,
    ),
}
