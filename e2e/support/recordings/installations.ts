import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Gantry, type Served } from '../gantry.ts'

/** A new installation as often as it is asked for one, copied from one that was started once. */
class Installations {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'gantry-new-'))
  readonly #settings: object | undefined
  #isReady = false

  constructor(settings?: object) {
    this.#settings = settings
  }

  async start(): Promise<Gantry> {
    if (!this.#isReady) {
      const first = await new Gantry({ dataDir: path.join(this.#folder, 'data') }).start()
      await first.kill('SIGTERM')
      this.#isReady = true
    }
    const dataDir = mkdtempSync(path.join(tmpdir(), 'gantry-e2e-'))
    // Blocks of disks are mostly holes, which Node would fill.
    execFileSync('cp', ['-a', '--sparse=always', `${path.join(this.#folder, 'data')}/.`, dataDir])
    return new Gantry({ dataDir, ...(this.#settings && { settings: this.#settings }) }).start()
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The server of the tests of a worker, of which each has its own. */
export class Renewed implements Served {
  readonly #installations: Installations
  #now: Gantry | undefined

  constructor(settings?: object) {
    this.#installations = new Installations(settings)
  }

  get #server(): Gantry {
    if (!this.#now) throw new Error('No test has begun.')
    return this.#now
  }
  get url(): string {
    return this.#server.url
  }
  get log(): string {
    return this.#server.log
  }
  start = (): Promise<unknown> => this.#server.start()
  kill = (signal?: 'SIGKILL' | 'SIGTERM'): Promise<void> => this.#server.kill(signal)

  async renew(): Promise<void> {
    await this.#now?.remove()
    this.#now = await this.#installations.start()
  }

  /** A new one beside it, which its caller removes. */
  another = (): Promise<Gantry> => this.#installations.start()

  async remove(): Promise<void> {
    await this.#now?.remove()
    this.#installations.remove()
  }
}
