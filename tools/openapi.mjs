// Writes packages/api/openapi.json and the console's table of operations from the contract.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'vite'

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
  const { operationsModule } = await vite.ssrLoadModule('/src/generate.ts')
  const { version } = JSON.parse(readFileSync(new URL('packages/api/package.json', root), 'utf8'))
  writeFileSync(
    new URL('packages/api/openapi.json', root),
    `${JSON.stringify(openapiDocument(version), null, 2)}\n`,
  )
  writeFileSync(new URL('packages/api/src/client/operations.gen.ts', root), operationsModule())
} finally {
  await vite.close()
}
