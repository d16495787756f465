/** Builds the console with the control plane in the page: files that any web server can serve. */
import fs from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'
import { preview } from '../../packages/preview/vite.mjs'
import { builds, root } from './builds.mjs'

const outDir = builds.find(({ name }) => name === 'preview')?.outDir ?? ''
delete process.env.GANTRY_API
// Plugins of the console look at the working directory.
process.chdir(path.join(root, 'packages/console'))
await build({
  mode: 'preview',
  logLevel: 'warn',
  plugins: [preview()],
  build: { outDir, emptyOutDir: true, manifest: false, chunkSizeWarningLimit: 4000 },
})
// What several hosts answer unknown paths with, so that links into the console work there as they are.
await fs.copyFile(path.join(outDir, 'index.html'), path.join(outDir, '404.html'))
