// An HTTP server that answers each request by one row of one query, and does nothing else. It runs in a
// process of its own, like the measured one, and reads by the same driver.
// Arguments: the address of a PostgreSQL database or the folder of an embedded one, and the statement, whose
// only parameter is the path.
import http from 'node:http'
import { CompiledQuery, Kysely } from 'kysely'
import { sourceLoader } from '../../tools/lib/sources.mjs'

const [location = '', text = ''] = process.argv.slice(2)
const sources = await sourceLoader()
const { openDatabase } = await sources.ssrLoadModule('/packages/server/src/database/open.ts')
const isServer = location.startsWith('postgres:')
const { dialect } = await openDatabase(isServer ? { url: location } : { dataDir: location })
await sources.close()

/** @type {Kysely<unknown>} */
const db = new Kysely({ dialect })
const server = http.createServer((request, response) => {
  const name = decodeURIComponent(request.url?.slice(1) ?? '')
  void db.executeQuery(CompiledQuery.raw(text, [name])).then(({ rows: [row] }) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(row))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`ready http://127.0.0.1:${address.port}`)
})
