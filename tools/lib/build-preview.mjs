/** Builds the console with the control plane in the page: files that any web server can serve. */
import fs from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'
import { preview } from '../../packages/preview/vite.mjs'
import { builds, root } from './builds.mjs'

const outDir = builds.find(({ name }) => name === 'preview')?.outDir ?? ''
delete process.env.GANTRY_API
// Plugins of the console use the working directory.
process.chdir(path.join(root, 'packages/console'))
await build({
  mode: 'preview',
  logLevel: 'warn',
  plugins: [preview()],
  build: { outDir, emptyOutDir: true, manifest: false, chunkSizeWarningLimit: 4000 },
})
// Several hosts serve this file for unknown paths, which makes links into the console work there.
await fs.copyFile(path.join(outDir, 'index.html'), path.join(outDir, '404.html'))
