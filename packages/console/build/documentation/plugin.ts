import fs from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { docsFolder, type Documentation, readDocumentation, servedFiles } from './documents.ts'

const prefix = 'virtual:docs/'
const version = (
  JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string
  }
).version

/**
 * The documentation as modules: its contents, a module for each page, and what is searched. Each page and the texts to
 * search load on their own. Files for programs are served beside the pages.
 */
export function documentation(): Plugin {
  let read: Documentation | undefined
  const all = (): Documentation => (read ??= readDocumentation())
  return {
    name: 'documentation',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null
      const [kind, slug] = id.slice(prefix.length + 1).split('/')
      if (kind === 'contents') return contentsModule(all())
      if (kind === 'search') return searchModule(all())
      const page = all().pages.find((each) => each.slug === slug)
      return page ? `export default ${literal(page)}` : null
    },
    buildEnd() {
      read = undefined
    },
    configureServer(server) {
      server.watcher.add(docsFolder)
      server.watcher.on('all', (_event, file) => {
        if (!file.startsWith(docsFolder)) return
        read = undefined
        for (const [id, module] of server.moduleGraph.idToModuleMap)
          if (id.startsWith(`\0${prefix}`)) server.moduleGraph.invalidateModule(module)
      })
    },
    generateBundle() {
      if (this.environment.mode !== 'build') return
      for (const file of servedFiles)
        this.emitFile({
          type: 'asset',
          fileName: `docs/${file}`,
          source: fs.readFileSync(path.join(docsFolder, file)),
        })
    },
  }
}

/** An engine reads a long text as JSON faster than as an expression. */
const literal = (value: unknown): string => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`

const contentsModule = ({ sections, pages }: Documentation): string => `
export const version = ${JSON.stringify(version)}
export const sections = ${literal(sections)}
export const pages = {
${pages.map(({ slug }) => `  ${JSON.stringify(slug)}: () => import(${JSON.stringify(`${prefix}page/${slug}`)}),`).join('\n')}
}
`

const searchModule = ({ pages, entries }: Documentation): string => `
export const titles = ${literal(Object.fromEntries(pages.map(({ slug, title, section }) => [slug, { title, section }])))}
export const entries = ${literal(entries)}
`
