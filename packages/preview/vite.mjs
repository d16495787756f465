import fs from 'node:fs'
import { createRequire } from 'node:module'

const script = '/mockServiceWorker.js'
/** What `serves` of the control plane answers with yes. */
const api = /^\/(v1|ext)(\/|$)/

/**
 * What Vite needs for the control plane in the page. The service worker's script is served out of its package
 * by the development server alone, so that no build contains it.
 * @returns {import('vite').Plugin}
 */
export function preview() {
  return {
    name: 'gantry-preview',
    config: () => ({
      // Apart from the console's own, because each would throw the other's away.
      cacheDir: 'node_modules/.vite/preview',
      // It finds its WebAssembly beside its own script.
      optimizeDeps: { exclude: ['@electric-sql/pglite'] },
    }),
    configureServer(server) {
      const file = createRequire(import.meta.url).resolve(`msw${script}`)
      server.middlewares.use(script, (_request, response) => {
        response.setHeader('content-type', 'text/javascript')
        response.setHeader('cache-control', 'no-cache')
        fs.createReadStream(file).pipe(response)
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
