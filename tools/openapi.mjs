// Writes what is generated: the control plane's lists of files, the contract's kinds, openapi.json, and the console's
// operations.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'vite'
import { writeLists } from './lib/lists.mjs'

writeLists()

const root = new URL('..', import.meta.url)
// Node 20 reads no TypeScript: Vite loads the contract.
const vite = await createServer({
  root: new URL('packages/api', root).pathname,
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, ws: false, watch: null },
})
try {
  const { openapiDocument } = await vite.ssrLoadModule('/src/openapi.ts')
  const { kindsModule, operationsModules } = await vite.ssrLoadModule('/src/generate.ts')
  const { kindWords } = await vite.ssrLoadModule(
    `/@fs${new URL('packages/control-plane/src/kernel/kinds.ts', root).pathname}`,
  )
  writeFileSync(new URL('packages/api/src/kind.gen.ts', root), kindsModule(kindWords()))
  const { version } = JSON.parse(readFileSync(new URL('packages/api/package.json', root), 'utf8'))
  writeFileSync(
    new URL('packages/api/openapi.json', root),
    `${JSON.stringify(openapiDocument(version), null, 2)}\n`,
  )
  const client = new URL('packages/api/src/client/', root)
  // Emptied, so that a family that is gone leaves no file.
  rmSync(new URL('operations', client), { recursive: true, force: true })
  mkdirSync(new URL('operations', client))
  for (const [name, text] of Object.entries(operationsModules())) writeFileSync(new URL(name, client), text)
} finally {
  await vite.close()
}
