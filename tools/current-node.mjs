/**
 * Tries the built server on the current LTS of Node: npm brings the program, and Node there starts the server, which
 * signs in, creates an instance and stops in order. Exits with 3 where npm brings none.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from './lib/builds.mjs'

const LTS = 24
const password = 'correct horse battery'

/**
 * The path of that Node, which npm keeps in its cache.
 * @returns {string}
 */
function currentNode() {
  const command = ['exec', '--yes', `--package=node@${LTS}`, '--', 'node', '-p', 'process.execPath']
  try {
    const printed = execFileSync('npm', command, { encoding: 'utf8', cwd: os.tmpdir(), timeout: 180_000 })
    return printed.trim().split('\n').at(-1) ?? ''
  } catch {
    console.log(`skipped: npm brings no Node ${LTS} here`)
    return process.exit(3)
  }
}

const node = currentNode()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gantry-node-'))
const entry = path.join(root, 'packages/server/dist/gantry.js')
const server = spawn(node, [entry, 'serve', '--port', '0', '--data-dir', path.join(folder, 'data')], {
  stdio: ['ignore', 'pipe', 'pipe'],
  env: { ...process.env, GANTRY_DEMO_PASSWORD: password },
})
let said = ''
for (const stream of [server.stdout, server.stderr]) stream.on('data', (bytes) => (said += bytes))
const ended = once(server, 'close')

/**
 * Waits until the attempt returns something.
 * @template Found
 * @param {string} what
 * @param {() => Found | Promise<Found>} attempt
 * @returns {Promise<NonNullable<Found>>}
 */
async function until(what, attempt) {
  for (let end = Date.now() + 120_000; Date.now() < end;) {
    const found = await attempt()
    if (found) return found
    if (server.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${what} did not come. The server printed:\n${said}`)
}

try {
  const address = await until('the address', () => /^ready (http:\S+)$/m.exec(said)?.[1])
  let cookie = ''
  /**
   * @param {string} method
   * @param {string} where
   * @param {object} [body]
   */
  const send = async (method, where, body) => {
    const answer = await fetch(address + where, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${where} answered ${answer.status}: ${text}`)
    const given = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0])
    if (given.length > 0) cookie = given.join('; ')
    return answer.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
  }
  if (!(await send('GET', '/')).includes('<html')) throw new Error('/ is no page')
  await send('POST', '/v1/login/demo/local', { username: 'member', password })
  await send('POST', '/v1/projects', { name: 'tried', description: '' })
  await send('POST', '/v1/instances?project=tried', {
    name: 'web',
    description: '',
    hostname: 'web',
    ncpus: 1,
    memory: 1024 ** 3,
  })
  const view = () => send('GET', '/v1/instances/web?project=tried')
  await until('a running instance', async () => (await view()).run_state === 'running')
  server.kill('SIGTERM')
  const [code] = await ended
  if (code !== 0) throw new Error(`the server ended with ${code}:\n${said}`)
} finally {
  server.kill('SIGKILL')
  fs.rmSync(folder, { recursive: true, force: true })
}
