/**
 * `npm run dev`: the console from its sources, with the control plane inside the page or, with `--api`,
 * elsewhere.
 */
import path from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './lib/builds.mjs'
import { installIfNeeded } from './lib/install.mjs'
import { checkNodeVersion } from './lib/node-version.mjs'

const help = `Usage: npm run dev -- [options]

Serves the console from its sources. The control plane runs inside the page, in memory: a reload discards
its data.

Options:
  --api URL        use a Gantry server instead, such as http://127.0.0.1:8080
  --port NUMBER    port to listen on (4000, or the next free one)
  --host ADDRESS   address to listen on (127.0.0.1); browsers run the preview only on localhost or over https
  --help

The menu in the page's banner has these choices. Links (?preview-user=viewer) and cookies of the same names
set them as well; a link's values are saved as cookies:
  preview-user     admin, owner, member, viewer or newcomer: the signed-in user
  preview-delay    on: each request takes 200 to 400 ms longer; off
  preview-chaos    0 to 100: percentage of requests that fail with 401, 403, 404 or 500
  preview-seed     any text: with the same text, the same requests fail
`

checkNodeVersion()
const options = read(process.argv.slice(2))
installIfNeeded()

const mode = options.api === undefined ? 'preview' : 'development'
// The console's own configuration reads it, and its plugins use the working directory.
if (options.api !== undefined) process.env.GANTRY_API = options.api
else delete process.env.GANTRY_API
process.chdir(path.join(root, 'packages/console'))

const { createServer } = await import('vite')
const { preview } = await import('../packages/preview/vite.mjs')
const server = await createServer({
  mode,
  logLevel: 'warn',
  // Without the preview its data does not exist either, and dependency discovery would fail.
  ...(mode === 'preview' ? { plugins: [preview()] } : { optimizeDeps: { exclude: ['@gantry/preview'] } }),
  server: { host: options.host, ...(options.port !== undefined && { port: options.port, strictPort: true }) },
})
// Exits at once: nothing here needs a shutdown.
process.once('SIGINT', () => process.exit(0))
try {
  await server.listen()
} catch (error) {
  stop(/** @type {Error} */ (error).message)
}

const { local, network } = server.resolvedUrls ?? { local: [], network: [] }
const address = (local[0] ?? network[0] ?? '').replace(/\/$/, '')
if (mode === 'preview') {
  process.stdout.write(`
  The control plane runs inside the page; a reload discards its data.
  Silo demo, users admin (signed in at first), owner, member, viewer and newcomer, password "open-to-everybody".

`)
}
process.stdout.write(`ready ${address}\n`)

/** @param {readonly string[]} args */
function read(args) {
  const flags = /** @type {const} */ ({
    api: { type: 'string' },
    port: { type: 'string' },
    host: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  })
  try {
    const { values } = parseArgs({ args: [...args], options: flags })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    const { api, host = '127.0.0.1' } = values
    if (api !== undefined && !/^https?:\/\//.test(api)) {
      stop(`--api must be a URL such as http://127.0.0.1:8080, not ${JSON.stringify(api)}.`)
    }
    const port = values.port === undefined ? undefined : Number(values.port)
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
      stop(`--port must be a number from 0 to 65535, not ${JSON.stringify(values.port)}.`)
    }
    return { api: api && new URL(api).origin, port, host }
  } catch (error) {
    // Node's own sentence continues with advice about its parser.
    stop(/** @type {Error} */ (error).message.split(/\. (?=To specify)|\n/)[0] ?? '')
  }
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function stop(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
