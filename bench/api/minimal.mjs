// An HTTP server that answers each request by the rows of one query, and does nothing else. It runs in a
// process of its own, like the measured one, and reads by the same driver.
// Arguments: the address of a PostgreSQL database or the folder of an embedded one, and the statements. A path
// is the number of a statement and its parameters.
import http from 'node:http'
import { CompiledQuery, Kysely } from 'kysely'
import { sourceLoader } from '../../tools/lib/sources.mjs'

const [location = '', ...texts] = process.argv.slice(2)
const sources = await sourceLoader()
const { openDatabase } = await sources.ssrLoadModule('/packages/server/src/database/open.ts')
const isServer = location.startsWith('postgres:')
const { dialect } = await openDatabase(isServer ? { url: location } : { dataDir: location })
await sources.close()

/** @type {Kysely<unknown>} */
const db = new Kysely({ dialect })
const server = http.createServer((request, response) => {
  const [number, ...bound] = (request.url ?? '').slice(1).split('/').map(decodeURIComponent)
  void db.executeQuery(CompiledQuery.raw(texts[Number(number)] ?? '', bound)).then(({ rows }) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(rows))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`ready http://127.0.0.1:${address.port}`)
})
