import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/** Copies these files of the repository's `docs` to `/docs/` of the build. Console pages link there. */
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
