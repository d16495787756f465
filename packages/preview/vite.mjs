import fs from 'node:fs'
import { createRequire } from 'node:module'

const script = '/mockServiceWorker.js'

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
    },
  }
}
