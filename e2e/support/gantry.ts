import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { password } from './target.ts'

const entry = fileURLToPath(new URL('../../packages/server/dist/gantry.js', import.meta.url))

export interface Outcome {
  code: number | null
  out: string
  err: string
}

/** Runs `gantry` with these arguments, and returns its output once it has exited. */
export function gantryCommand(...args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [entry, ...args])
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })))
}

/** The server under test or load. */
export interface Served {
  readonly url: string
  readonly log: string
  /** After a kill, it listens on the same port. */
  start: () => Promise<unknown>
  kill: (signal?: 'SIGKILL' | 'SIGTERM') => Promise<void>
  remove: () => Promise<void>
}

interface Options {
  database?: string
  dataDir?: string
  /** Options for Node itself. */
  nodeOptions?: readonly string[]
  /** More options of `gantry serve`. */
  args?: readonly string[]
  /** Settings of the operator (`docs/settings.md`). */
  settings?: object
}

/** A separate server process; its data directory outlives kills. */
export class Gantry implements Served {
  #child: ChildProcess | undefined
  #port = 0
  #scheme = 'http'
  readonly #database: string | undefined
  readonly #nodeOptions: readonly string[]
  readonly #more: readonly string[]
  readonly #settings: object
  readonly dataDir: string
  log = ''
  /** The inspector's address, if `--inspect` was given. */
  inspector: string | undefined

  /** Uses the embedded database and a new data directory unless given others. */
  constructor({ database, dataDir, nodeOptions = [], args = [], settings }: Options = {}) {
    this.#database = database
    this.#nodeOptions = nodeOptions
    this.#more = args
    this.dataDir = dataDir ?? mkdtempSync(path.join(tmpdir(), 'gantry-e2e-'))
    this.#settings = { backups: { folder: this.backupsFolder }, ...settings }
  }

  /** Of backup targets that are folders. Outside of the data directory, whose contents are the server's own. */
  get backupsFolder(): string {
    return `${this.dataDir}-backups`
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.#port}`
  }

  get isAlive(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  /** Resolves once it serves; after a kill on the same port, so that open pages reconnect. */
  async start(): Promise<this> {
    const child = spawn(process.execPath, [...this.#nodeOptions, entry, ...this.#args(this.#port)], {
      env: { ...process.env, GANTRY_DEMO_PASSWORD: password },
    })
    this.#child = child
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        this.log += chunk.toString()
        const ready = /^ready (https?):\/\/[^:]+:(\d+)$/m.exec(this.log)
        if (!ready) return
        this.#scheme = ready[1] ?? ''
        this.#port = Number(ready[2])
        resolve()
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${this.log}`)))
    })
    this.inspector = /^Debugger listening on (ws:.*)$/m.exec(this.log)?.[1]
    this.log = ''
    return this
  }

  /** Linux only: reads `/proc`. */
  residentMiB(): number {
    const status = readFileSync(`/proc/${this.#child?.pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? '0') / 1024)
  }

  /** Tries to start another process on the same data directory. */
  async startSecond(): Promise<{ code: number | null; output: string }> {
    const { code, out, err } = await gantryCommand(...this.#args(0))
    return { code, output: out + err }
  }

  #args(port: number): string[] {
    const database = this.#database === undefined ? [] : ['--database', this.#database]
    const common = ['serve', '--port', String(port), '--data-dir', this.dataDir, ...database]
    return [...common, ...this.#settingsArgs(), ...this.#more]
  }

  #settingsArgs(): string[] {
    mkdirSync(this.dataDir, { recursive: true })
    const file = path.join(this.dataDir, 'settings.json')
    writeFileSync(file, JSON.stringify(this.#settings))
    return ['--settings', file]
  }

  kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (!child || !this.isAlive) return Promise.resolve()
    return new Promise((resolve) => {
      child.once('exit', () => resolve())
      child.kill(signal)
    })
  }

  async remove(): Promise<void> {
    await this.kill('SIGTERM')
    for (const folder of [this.dataDir, this.backupsFolder]) rmSync(folder, { recursive: true, force: true })
  }
}
