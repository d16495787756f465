import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { password } from './target.ts'

const entry = fileURLToPath(new URL('../packages/server/dist/gantry.js', import.meta.url))

export interface Outcome {
  code: number | null
  out: string
  err: string
}

/** What comes of the program with these arguments, once it has ended. */
export function gantryCommand(...args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [entry, ...args])
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })))
}

/** What stories and load are told against. */
export interface Served {
  readonly url: string
  readonly log: string
  /** After a kill, where it was before. */
  start: () => Promise<unknown>
  kill: (signal?: 'SIGKILL' | 'SIGTERM') => Promise<void>
  remove: () => Promise<void>
}

interface Options {
  database?: string
  dataDir?: string
  /** What Node itself is told. */
  nodeOptions?: readonly string[]
  /** More options of `gantry serve`. */
  args?: readonly string[]
  /** What an operator would set (`docs/settings.md`). */
  settings?: object
}

/** A server process of its own, over a data directory that outlives its kills. */
export class Gantry implements Served {
  #child: ChildProcess | undefined
  #port = 0
  #scheme = 'http'
  readonly #database: string | undefined
  readonly #nodeOptions: readonly string[]
  readonly #more: readonly string[]
  readonly #settings: object | undefined
  readonly dataDir: string
  log = ''
  /** Where its inspector listens, when it was asked for one by `--inspect`. */
  inspector: string | undefined

  /** By itself with the embedded database, and a data directory of its own unless one is shared. */
  constructor({ database, dataDir, nodeOptions = [], args = [], settings }: Options = {}) {
    this.#database = database
    this.#nodeOptions = nodeOptions
    this.#more = args
    this.#settings = settings
    this.dataDir = dataDir ?? mkdtempSync(path.join(tmpdir(), 'gantry-e2e-'))
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.#port}`
  }

  get isAlive(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  /** Serves when it resolves; after a kill on the same port as before, so that open pages find it again. */
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

  /** Linux only, as the figure's source is. */
  residentMiB(): number {
    const status = readFileSync(`/proc/${this.#child?.pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? '0') / 1024)
  }

  /** What comes of a further process on the same data directory. */
  async second(): Promise<{ code: number | null; output: string }> {
    const { code, out, err } = await gantryCommand(...this.#args(0))
    return { code, output: out + err }
  }

  #args(port: number): string[] {
    const database = this.#database === undefined ? [] : ['--database', this.#database]
    const common = ['serve', '--port', String(port), '--data-dir', this.dataDir, ...database]
    return [...common, ...this.#settingsArgs(), ...this.#more]
  }

  #settingsArgs(): string[] {
    if (!this.#settings) return []
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
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}
