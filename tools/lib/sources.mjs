// Loads TypeScript sources, which Node 20 does not run.
import { createServer } from 'vite'
import { root } from './builds.mjs'

/** A server that serves nothing: `ssrLoadModule` loads a module by its path from the root. */
export const sourceLoader = () =>
  createServer({
    root,
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    ssr: { noExternal: [/^@gantry\//] },
  })
