/** `node make-data.mjs FILE` writes what a preview begins with. A process of its own, whose memory ends with it. */
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

// Node 20 reads no TypeScript: Vite loads it.
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
// In one step, so that a half-written file is never taken for a whole one.
const data = await makeData()
await fs.writeFile(`${file}.${process.pid}`, Buffer.from(await data.arrayBuffer()))
await fs.rename(`${file}.${process.pid}`, file)
process.exit(0)
