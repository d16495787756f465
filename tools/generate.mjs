// Writes every generated file: the control plane's lists of files, the contract's kinds, the OpenAPI documents, the
// console's operations and route tree, and the row limits in the page of settings.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'vite'
import { writeLists } from './lib/lists.mjs'
import { withRowLimits } from './lib/row-limits.mjs'
import { writeRouteTree } from './lib/route-tree.mjs'

writeLists()

const root = new URL('..', import.meta.url)
// Node 20 does not run TypeScript, so Vite loads the contract.
const vite = await createServer({
  root: new URL('packages/api', root).pathname,
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, ws: false, watch: null },
})
try {
  const { kindsModule } = await vite.ssrLoadModule('/src/generate-kinds.ts')
  const { fleetWords, kindNouns, kinds, kindWords, limitedKinds, searchedTables } =
    /** @type {typeof import('../packages/control-plane/src/lookup/kinds.ts')} */ (
      await vite.ssrLoadModule(`/@fs${new URL('packages/control-plane/src/lookup/kinds.ts', root).pathname}`)
    )
  const words = {
    all: kindWords(),
    searched: searchedTables.map((table) => kinds[table].word),
    fleet: fleetWords(),
    nouns: kindNouns(),
  }
  writeFileSync(new URL('packages/api/src/kind.gen.ts', root), kindsModule(words))
  const settings = new URL('docs/settings.md', root)
  writeFileSync(settings, withRowLimits(readFileSync(settings, 'utf8'), limitedKinds, kinds))
  // The contract is loaded only now, because it reads the kinds.
  const { openapiDocuments } = await vite.ssrLoadModule('/src/openapi.ts')
  const { operationsModules } = await vite.ssrLoadModule('/src/generate.ts')
  const { version } = JSON.parse(readFileSync(new URL('packages/api/package.json', root), 'utf8'))
  for (const [name, document] of Object.entries(openapiDocuments(version)))
    writeFileSync(new URL(`packages/api/${name}`, root), `${JSON.stringify(document, null, 2)}\n`)
  const client = new URL('packages/api/src/client/', root)
  // Emptied, so that a removed family leaves no file.
  rmSync(new URL('operations', client), { recursive: true, force: true })
  mkdirSync(new URL('operations', client))
  for (const [name, text] of Object.entries(operationsModules())) writeFileSync(new URL(name, client), text)
} finally {
  await vite.close()
}
await writeRouteTree()
