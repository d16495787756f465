import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const server = fileURLToPath(new URL('./', import.meta.url))

/** Run by Node next to the bundle under these names: worker threads and a separate process. */
const companions = {
  'block-digest-worker': path.join(server, 'src/blocks/block-digest-worker.js'),
  'pglite-worker': path.join(server, 'src/database/pglite/pglite-worker.js'),
  'pglite-init': path.join(server, 'src/database/pglite/pglite-init.js'),
  'saml-worker': path.join(server, 'src/saml/saml-worker.js'),
}

/**
 * Bundles our own packages for Node and leaves npm dependencies external. Node 20 does not run TypeScript, so
 * tests start their processes this way too.
 * @param {{ entries: Record<string, string>, outDir: string }} options Entries by output name; paths in
 * packages/server.
 */
export async function bundleServer({ entries, outDir }) {
  const absolute = Object.entries(entries).map(([name, file]) => [name, path.resolve(server, file)])
  await build({
    root: server,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: [/^@gantry\//] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      sourcemap: true,
      rollupOptions: {
        input: { ...Object.fromEntries(absolute), ...companions },
        // A flat folder, because the companions are located next to the code that starts them.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}
