import { rmSync } from 'node:fs'
import {
  type TemporaryPostgres,
  temporaryPostgres,
} from '../../packages/server/src/testing/temporary-postgres.ts'
import { Gantry, type Served } from './gantry.ts'
import { type RoundRobin, roundRobin } from './round-robin.ts'

const size = 3
const testsBetweenKills = 4

/** Three server processes on one PostgreSQL database and one data directory, behind a round-robin proxy. */
export class Cluster implements Served {
  readonly members: readonly Gantry[]
  readonly database: string
  readonly #postgres: TemporaryPostgres
  readonly #proxy: RoundRobin
  #turn = 0
  #tests = 0

  private constructor(postgres: TemporaryPostgres, database: string, members: Gantry[], proxy: RoundRobin) {
    this.#postgres = postgres
    this.database = database
    this.members = members
    this.#proxy = proxy
  }

  /** Resolves once it serves, or with the reason why this host cannot run it. */
  static async open(): Promise<Cluster | { missing: string }> {
    const postgres = await temporaryPostgres()
    if ('missing' in postgres) return postgres
    const database = await postgres.newDatabase()
    const first = new Gantry({ database })
    const { dataDir } = first
    const others = Array.from({ length: size - 1 }, () => new Gantry({ database, dataDir }))
    const members = [first, ...others]
    const proxy = await roundRobin(() => members.map(({ url }) => url))
    return new Cluster(postgres, database, members, proxy).start()
  }

  get url(): string {
    return this.#proxy.url
  }

  get dataDir(): string {
    return this.members[0]?.dataDir ?? ''
  }

  get log(): string {
    return this.members.map(({ log }) => log).join('')
  }

  /** Starts all stopped members in parallel. */
  async start(): Promise<this> {
    await Promise.all(this.members.filter(({ isAlive }) => !isAlive).map((member) => member.start()))
    return this
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill(signal)))
  }

  /** Kills one member, in rotation. */
  async killOne(): Promise<void> {
    await this.members[this.#turn++ % size]?.kill('SIGKILL')
  }

  /**
   * Restarts a member after every few tests. During a test all members run, because the proxy never retries.
   */
  async betweenTests(): Promise<void> {
    if (++this.#tests % testsBetweenKills > 0) return
    await this.killOne()
    await this.start()
  }

  async remove(): Promise<void> {
    await this.kill('SIGTERM')
    await this.#proxy.close()
    await this.#postgres.stop()
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}
