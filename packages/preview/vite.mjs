import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hashOf, previewDataSources, root } from '../../tools/lib/builds.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const workerPath = '/mockServiceWorker.js'
const dataPath = '/preview-data.tar.gz'
/** Tells start.ts where the data is: a generated URL in a build, a fixed one in the development server. */
const dataModule = 'virtual:preview-data'
/** Mirrors `serves` of the control plane. */
const api = /^\/(v1|ext)(\/|$)/

/**
 * What Vite needs for the control plane in the page: the service worker's script, and the initial contents.
 * Only builds with this plugin contain them.
 * @returns {import('vite').Plugin}
 */
export function preview() {
  /** @type {string | undefined} The data file in a build. */
  let asset
  return {
    name: 'gantry-preview',
    config: () => ({
      // Separate from the console's cache, because each would discard the other's.
      cacheDir: path.join(root, '.cache/vite-preview'),
      optimizeDeps: {
        // It locates its WebAssembly relative to its own script.
        exclude: ['@electric-sql/pglite'],
        // Listed explicitly, so that discovering them does not reload the first page.
        include: ['msw', 'msw/browser', 'kysely', 'zod'].map((name) => `@gantry/preview > ${name}`),
      },
    }),
    resolveId: (id) => (id === dataModule ? `\0${id}` : null),
    load(id) {
      if (id !== `\0${dataModule}`) return null
      return `export default ${asset ? `import.meta.ROLLUP_FILE_URL_${asset}` : JSON.stringify(dataPath)}`
    },
    async buildStart() {
      if (this.environment.mode !== 'build') return
      asset = this.emitFile({
        type: 'asset',
        name: 'preview-data.tar.gz',
        source: fs.readFileSync(await data()),
      })
      this.emitFile({ type: 'asset', fileName: workerPath.slice(1), source: worker() })
    },
    // Otherwise the page requests the database and its contents, 20 MB, only once its scripts have run.
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((name) => /\.(wasm|data|gz)$/.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'fetch', crossorigin: '', href: `/${name}` },
          })),
    },
    configureServer(server) {
      // Started at once, because the first page waits for it.
      /** @type {Promise<string> | undefined} */
      let made = data()
      // A failure is reported to the current request, and the next one retries.
      made.catch(() => (made = undefined))
      const isSource = (/** @type {string} */ file) =>
        previewDataSources.some((source) => file.startsWith(path.join(root, source)))
      server.watcher.on('all', (_event, file) => isSource(file) && (made = undefined))
      server.middlewares.use(dataPath, (_request, response, next) => {
        made ??= data()
        made.then((file) => {
          response.setHeader('content-type', 'application/gzip')
          // The URL stays the same while the contents change.
          response.setHeader('cache-control', 'no-cache')
          fs.createReadStream(file).pipe(response)
        }, next)
      })
      server.middlewares.use(workerPath, (_request, response) => {
        response.setHeader('content-type', 'text/javascript')
        response.setHeader('cache-control', 'no-cache')
        response.end(worker())
      })
      // An error rather than the page: callers would mistake the page for a response, and a retry may well
      // succeed.
      server.middlewares.use((request, response, next) => {
        if (!api.test(request.url ?? '')) return next()
        response.statusCode = 503
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({ message: 'The control plane runs inside the page, and this request missed it.' }),
        )
      })
    },
  }
}

/** MSW's script with a prelude that keeps requests from it which it would only pass on. */
function worker() {
  const msw = createRequire(import.meta.url).resolve(`msw${workerPath}`)
  return `${fs.readFileSync(path.join(here, 'worker-prelude.js'), 'utf8')}\n${fs.readFileSync(msw, 'utf8')}`
}

/** The initial contents of a preview, created once for the same sources. */
async function data() {
  const folder = path.join(root, '.cache/preview-data')
  const name = `${hashOf(previewDataSources)}.tar.gz`
  const file = path.join(folder, name)
  if (!fs.existsSync(file)) {
    await promisify(execFile)(process.execPath, [path.join(here, 'make-data.mjs'), file])
    for (const other of fs.readdirSync(folder)) if (other !== name) fs.rmSync(path.join(folder, other))
  }
  return file
}
