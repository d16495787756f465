/**
 * Records for each page of the built console what its first load reads and which files it consists of, so that the server
 * can embed the answers in the page: node tools/lib/page-reads.mjs OUT_DIR, run by the build in its own process. It runs
 * the loaders of the page's routes without a server, so that no second list of reads must be maintained.
 */
import fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './builds.mjs'
import { pagesOf } from './first-loads.mjs'

const [outDir = ''] = process.argv.slice(2)
const sources = path.join(root, 'packages/console')
const fromConsole = createRequire(path.join(sources, 'package.json'))
/** @type {typeof import('vite')} */
const { build } = await import(pathToFileURL(fromConsole.resolve('vite')).href)

// Some modules read `navigator` while they load, and Node 20 has none.
globalThis.navigator ??= /** @type {Navigator} */ ({ userAgent: '' })

/**
 * Pages of the documentation read nothing.
 * @type {import('vite').Plugin}
 */
const withoutDocumentation = {
  name: 'without-documentation',
  resolveId: (id) => (id.startsWith('virtual:docs/') ? `\0${id}` : null),
  load: (id) =>
    id.startsWith('\0virtual:docs/')
      ? "export const [version, sections, pages, titles, entries] = ['', [], {}, {}, []]"
      : null,
}

// Inside the package, so that imports of its dependencies resolve.
const loaders = path.join(sources, 'node_modules/.page-reads')
try {
  const pages = pagesOf(sources).map((page) => ({ ...page, routes: page.modules.filter(isRoute) }))
  await buildRoutes([...new Set(pages.flatMap(({ routes }) => routes))])
  /** @type {Record<string, string[]>} */
  const filesOf = JSON.parse(await fs.readFile(path.join(outDir, '.vite/chunk-files.json'), 'utf8'))

  const noted = []
  for (const { url, modules, routes } of pages) {
    const files = [...new Set(modules.flatMap((module) => filesOf[module] ?? []))]
    for (const path of pathsOf(url)) {
      const reads = new Set()
      for (const module of routes) for (const read of await readsOf(module, path)) reads.add(read)
      if (reads.size > 0) noted.push({ path, reads: [...reads], files })
    }
  }
  if (noted.length === 0) throw new Error('No page reads anything, which cannot be.')
  await fs.writeFile(path.join(outDir, '.pages.json'), JSON.stringify(noted))
} finally {
  await fs.rm(loaders, { recursive: true, force: true })
}
// The recorded requests stay pending and would keep the process alive.
process.exit()

/**
 * `/rules/{-$rule}` means the paths with and without the optional parameter.
 * @param {string} url
 */
function pathsOf(url) {
  const whole = url.replaceAll(/\{-(\$\w+)\}/g, '$1')
  return whole === url ? [url] : [url.replaceAll(/\/\{-\$\w+\}/g, ''), whole]
}

/** @param {string} module */
function isRoute(module) {
  return module.startsWith('src/routes/')
}

/** @param {string} module */
function builtName(module) {
  return module.replace(/\.tsx$/, '').replaceAll(/[^\w]/g, (sign) => `-${sign.charCodeAt(0)}-`)
}

/** @param {readonly string[]} modules */
async function buildRoutes(modules) {
  const input = Object.fromEntries(modules.map((module) => [builtName(module), path.join(sources, module)]))
  await build({
    configFile: false,
    root: sources,
    publicDir: false,
    logLevel: 'error',
    plugins: [withoutDocumentation],
    resolve: { alias: [{ find: /^#\//, replacement: `${path.join(sources, 'src')}/` }] },
    ssr: { noExternal: [/^@gantry\//] },
    build: {
      ssr: true,
      outDir: loaders,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: { input, output: { entryFileNames: '[name].mjs' } },
    },
  })
}

/**
 * The addresses that a route's loader reads, with names of parameters in braces: `/v1/disks?project={project}`.
 * @param {string} module
 * @param {string} page The path of the page, with the parameters that it has.
 * @returns {Promise<string[]>}
 */
async function readsOf(module, page) {
  const { Route } = await import(pathToFileURL(path.join(loaders, `${builtName(module)}.mjs`)).href)
  /** @type {string[]} */
  const asked = []
  globalThis.fetch = (url, init) => {
    if ((init?.method ?? 'GET') === 'GET') asked.push(/** @type {string} */ (url))
    return new Promise(() => {})
  }
  const enough = new Error('the loader has sent its first requests')
  const begin = (/** @type {{ queryFn: (cx: object) => unknown }[]} */ ...queries) => {
    for (const query of queries) void query.queryFn({ signal: new AbortController().signal })
  }
  const prefetch = async (/** @type {Parameters<typeof begin>} */ ...queries) => {
    begin(...queries)
    throw enough
  }
  const context = {
    begin,
    tryPrefetch: async (/** @type {Parameters<typeof begin>[0]} */ query) => begin(query),
    prefetch,
    renew: prefetch,
  }
  const params = Object.fromEntries([...page.matchAll(/\$(\w+)/g)].map(([, name]) => [name, `~${name}~`]))
  try {
    await Route.options.loader?.({ context, params, deps: {}, location: { pathname: '/', search: {} } })
  } catch (error) {
    // Routes that redirect throw their target.
    if (error !== enough && error instanceof Error) throw error
  }
  // Queries send their requests a few microtasks later.
  await new Promise((resolve) => setTimeout(resolve))
  return asked.map((url) => url.replaceAll(/(?:~|%7E)(\w+)(?:~|%7E)/g, '{$1}'))
}
