// An HTTP server that answers each request by the rows of one query, and does nothing else. It runs in a
// process of its own, like the measured one, and reads by the same driver.
// Arguments: whose HTTP server, `node` for Node's bare one or `own` for ours with its headers and bounds; the
// address of a PostgreSQL database or the folder of an embedded one; and the statements. A path is the number
// of a statement and its parameters.
import http from 'node:http'
import { CompiledQuery, Kysely } from 'kysely'
import { sourceLoader } from '../../tools/lib/sources.mjs'

const [whose = '', location = '', ...texts] = process.argv.slice(2)
const sources = await sourceLoader()
const load = (/** @type {string} */ file) => sources.ssrLoadModule(`/packages/${file}`)
const { openDatabase } = await load('server/src/database/open.ts')
const { serveHttp } = await load('server/src/http/server.ts')
const { defaultSettings } = await load('control-plane/src/settings.ts')
const isServer = location.startsWith('postgres:')
const { dialect } = await openDatabase(isServer ? { url: location } : { dataDir: location })
await sources.close()

/** @type {Kysely<unknown>} */
const db = new Kysely({ dialect })
const headers = { 'content-type': 'application/json' }

async function answer(/** @type {string} */ pathname) {
  const [number, ...bound] = pathname.slice(1).split('/').map(decodeURIComponent)
  const { rows } = await db.executeQuery(CompiledQuery.raw(texts[Number(number)] ?? '', bound))
  return JSON.stringify(rows)
}

/** @returns {Promise<number>} The port. */
function serveByNode() {
  const server = http.createServer((request, response) => {
    void answer(request.url ?? '').then((text) => response.writeHead(200, headers).end(text))
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address())
      resolve(address.port)
    })
  })
}

/** @returns {Promise<number>} The port. */
async function serveByOwn() {
  const handled = {
    serves: () => true,
    fetch: async (/** @type {Request} */ { url }) =>
      new Response(await answer(new URL(url).pathname), { headers }),
  }
  const { port } = await serveHttp(handled, {
    host: '127.0.0.1',
    port: 0,
    consoleDir: new URL('../../packages/console/dist', import.meta.url).pathname,
    origins: [],
    dnsZone: 'example',
    secure: false,
    trustProxy: false,
    limits: defaultSettings.http,
    log: console,
  })
  return port
}

console.log(`ready http://127.0.0.1:${await (whose === 'own' ? serveByOwn() : serveByNode())}`)
