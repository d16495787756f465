import type { Plugin } from 'vite'

const mark = /^\/\/ @chunk ([a-z-]+): /m
const chunks = new Map<string, string>()

const fileOf = (id: string): string => id.replace(/\?.*/, '')

/**
 * Reads which modules name their own chunk, by a comment that begins with `@chunk`, the name and the reason. `apart` is
 * for what is rarely used and mostly large: it keeps the chunk that its `import()` creates.
 */
export const chunkMarks: Plugin = {
  name: 'chunk-marks',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/console\/src\/.*\.tsx?(\?|$)/, code: mark },
    handler(code, id) {
      const [, name] = mark.exec(code) ?? []
      if (name) chunks.set(fileOf(id), name)
    },
  },
}

/** The chunk that a module names. Of a route, that is the page: its definition is in every first load. */
export const markedChunk = (id: string): string | undefined =>
  id.includes('/src/routes/') && !id.includes('?tsr-split=') ? undefined : chunks.get(fileOf(id))

/**
 * Whether an `import()` of this module creates a chunk of its own: also of a library, which is imported so for its size,
 * and of a page of the documentation.
 */
export const isApart = (id: string): boolean =>
  id.includes('/node_modules/') || id.startsWith('\0virtual:docs/page/') || markedChunk(id) === 'apart'
