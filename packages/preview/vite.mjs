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
/** By which start.ts learns where the data is: an address that a build makes up and a development server has fixed. */
const dataModule = 'virtual:preview-data'
/** What `serves` of the control plane answers with yes. */
const api = /^\/(v1|ext)(\/|$)/

/**
 * What Vite needs for the control plane in the page: the service worker's script, and the contents that it begins with.
 * Only what is given this plugin has any of them.
 * @returns {import('vite').Plugin}
 */
export function preview() {
  /** @type {string | undefined} In a build the data's file. */
  let asset
  return {
    name: 'gantry-preview',
    config: () => ({
      // Apart from the console's own, because each would throw the other's away.
      cacheDir: path.join(root, '.cache/vite-preview'),
      optimizeDeps: {
        // It finds its WebAssembly beside its own script.
        exclude: ['@electric-sql/pglite'],
        // Known from the start, so that finding them does not load the first page twice.
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
    configureServer(server) {
      // At once, because the first page waits for it.
      /** @type {Promise<string> | undefined} */
      let made = data()
      // Whoever asks for it is told, and the next one has it tried again.
      made.catch(() => (made = undefined))
      const isSource = (/** @type {string} */ file) =>
        previewDataSources.some((source) => file.startsWith(path.join(root, source)))
      server.watcher.on('all', (_event, file) => isSource(file) && (made = undefined))
      server.middlewares.use(dataPath, (_request, response, next) => {
        made ??= data()
        made.then((file) => {
          response.setHeader('content-type', 'application/gzip')
          // Its address stays while it changes.
          response.setHeader('cache-control', 'no-cache')
          fs.createReadStream(file).pipe(response)
        }, next)
      })
      server.middlewares.use(workerPath, (_request, response) => {
        response.setHeader('content-type', 'text/javascript')
        response.setHeader('cache-control', 'no-cache')
        response.end(worker())
      })
      // Not the page: whoever asked for an answer would take it for one, while asking again may well help.
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

/** MSW's script behind a few lines of ours, which keep from it what it would only pass on. */
function worker() {
  const msw = createRequire(import.meta.url).resolve(`msw${workerPath}`)
  return `${fs.readFileSync(path.join(here, 'worker-prelude.js'), 'utf8')}\n${fs.readFileSync(msw, 'utf8')}`
}

/** The file of what a preview begins with, made once for the same sources. */
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
