import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/** Puts these files of the repository's `docs` into the build under `/docs/`, where pages of the console link to. */
export const servedDocs = (files: readonly string[]): Plugin => ({
  name: 'served-docs',
  apply: 'build',
  async generateBundle() {
    for (const file of files) {
      const source = await readFile(resolve(import.meta.dirname, '../../../docs', file))
      this.emitFile({ type: 'asset', fileName: `docs/${file}`, source })
    }
  },
})
