/**
 * `node make-data.mjs FILE` writes the initial contents of a preview. A separate process, whose memory is
 * freed when it ends.
 */
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

// Node 20 does not run TypeScript, so Vite loads it.
const vite = await createServer({
  root: fileURLToPath(new URL('.', import.meta.url)),
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  ssr: { noExternal: [/^@gantry\//] },
})
const { makeData } = await vite.ssrLoadModule('/src/make-data.ts')
const file = process.argv[2] ?? ''
await fs.mkdir(path.dirname(file), { recursive: true })
// In one step, so that an incomplete file is never mistaken for a complete one.
const data = await makeData()
await fs.writeFile(`${file}.${process.pid}`, Buffer.from(await data.arrayBuffer()))
await fs.rename(`${file}.${process.pid}`, file)
process.exit(0)
