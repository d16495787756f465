/**
 * `node tools/serve-preview.mjs`: serves the built preview like any web server, after building it if it is
 * out of date.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream'
import { parseArgs } from 'node:util'
import { builds, root, staleBuilds } from './lib/builds.mjs'
import { installIfNeeded } from './lib/install.mjs'
import { checkNodeVersion } from './lib/node-version.mjs'

checkNodeVersion()
installIfNeeded()
const { values } = parseArgs({ options: { port: { type: 'string', default: '4001' } } })

if (staleBuilds(['preview']).length > 0) {
  process.stderr.write('Building the preview.\n')
  const { status } = spawnSync(process.execPath, [path.join(root, 'tools/build.mjs'), 'preview'], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const folder = builds.find(({ name }) => name === 'preview')?.outDir ?? ''
const types = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.gz': 'application/gzip',
})
/** As strict as the server's own, except for the database's WebAssembly and the service worker. */
const policy = [
  `default-src 'none'`,
  `script-src 'self' 'wasm-unsafe-eval'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `worker-src 'self'`,
  `base-uri 'none'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
].join('; ')

const server = http.createServer((request, response) => {
  const pathname = pathOf(request.url ?? '/')
  if (pathname === undefined) return void response.writeHead(400).end()
  const wanted = path.join(folder, path.normalize(pathname))
  const isFile =
    wanted.startsWith(folder + path.sep) && fs.statSync(wanted, { throwIfNoEntry: false })?.isFile()
  // A path of the console: the page routes it itself.
  const file = isFile ? wanted : path.join(folder, 'index.html')
  response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream')
  response.setHeader('content-security-policy', policy)
  // Asset names contain a hash of their contents.
  response.setHeader(
    'cache-control',
    pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  )
  // An unreadable file, or a disconnected browser, ends only this response.
  pipeline(fs.createReadStream(file), response, () => undefined)
})

/**
 * @param {string} url
 * @returns {string | undefined} Undefined for an invalid URL, or one with characters that no file name may
 * contain.
 */
function pathOf(url) {
  try {
    const pathname = decodeURIComponent(new URL(url, 'http://localhost').pathname)
    return pathname.includes('\0') ? undefined : pathname
  } catch {
    return undefined
  }
}

server.listen(Number(values.port), '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`ready http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`)
})
server.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
})
