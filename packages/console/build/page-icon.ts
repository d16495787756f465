import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const file = resolve(import.meta.dirname, '../public/mark.svg')

/** Inlines the icon into the page, which saves a request on every first load. Other pages use the file itself. */
export const pageIcon: Plugin = {
  name: 'page-icon',
  transformIndexHtml: (html) =>
    html.replace(
      'href="/mark.svg"',
      `href="data:image/svg+xml,${encodeURIComponent(readFileSync(file, 'utf8'))}"`,
    ),
}
