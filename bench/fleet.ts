import { type ChildProcess, spawn } from 'node:child_process'
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import { password } from './fill.ts'

const entry = fileURLToPath(new URL('../packages/server/dist/gantry.js', import.meta.url))
/** Without per-user limits: the server is measured, and few users generate all of the load. */
const settings = fileURLToPath(new URL('settings.json', import.meta.url))

export interface Served {
  port: number
  pid: number
  stop: () => Promise<void>
}

/** @param program The entry of another build, for comparison. */
export const serve = (args: string[], program = entry): Promise<Served> =>
  start(process.execPath, ['--v8-pool-size=1', program, 'serve', '--port', '0', ...args])

/** Runs a command that prints `ready` once it serves. */
export function start(command: string, args: string[]): Promise<Served> {
  const child: ChildProcess = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, GANTRY_DEMO_PASSWORD: password, GANTRY_LOG: 'warn', GANTRY_SETTINGS: settings },
  })
  const stop = () =>
    new Promise<void>((resolve) => {
      // It may already have exited.
      if (child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once('exit', () => resolve())
      child.kill('SIGTERM')
    })
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const port = /^ready http:\/\/[^:]+:(\d+)$/m.exec(text)?.[1]
      if (port) resolve({ port: Number(port), pid: child.pid ?? 0, stop })
    })
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}`)))
  })
}

/** One persistent connection with as little client overhead as possible. */
export class Client {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  #cookie = ''

  constructor(private readonly port: number) {}

  /** Also returns the session's cookie, for a browser. */
  async signIn(username = 'admin'): Promise<string> {
    const answer = await this.send('POST', '/v1/login/demo/local', { username, password })
    this.#cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    return this.#cookie
  }

  async json<Body>(path: string): Promise<Body> {
    return JSON.parse((await this.send('GET', path)).text) as Body
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    more: http.OutgoingHttpHeaders = {},
  ): Promise<{ status: number; text: string; headers: http.IncomingHttpHeaders }> {
    const headers: http.OutgoingHttpHeaders = { cookie: this.#cookie, ...more }
    if (body !== undefined) headers['content-type'] ??= 'application/json'
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const request = http.request(
        { port: this.port, host: '127.0.0.1', method, path, headers, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const status = response.statusCode ?? 0
            const text = Buffer.concat(chunks).toString()
            if (status >= 400) return reject(new Error(`${method} ${path} answered ${status}: ${text}`))
            resolve({ status, text, headers: response.headers })
          })
        },
      )
      request.on('error', reject)
      request.end(bytes)
    })
  }
}
