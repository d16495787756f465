import type { AllowedSourceIps } from '@gantry/api/rack-network/network-access'
import { sourceFilter } from '@gantry/api/rack-network/network-access.rules'
import type { Reader } from '../db/database.ts'
import { Refusal } from '../context/refusal.ts'
import { onceEach } from '../context/once-each.ts'
import type { Services } from '../context/services.ts'

type Filter = ReturnType<typeof sourceFilter>
/** A stream or a serial console, which stays open after its request was checked. */
interface Connection {
  address: string
  end: () => void
}

/** The addresses that may reach this process, kept in memory because every request asks. */
export class AllowListGuard {
  #list: string | undefined
  #allows: Filter | undefined
  readonly #connections = new Set<Connection>()

  constructor(private readonly db: Reader) {}

  async refresh(): Promise<Filter> {
    const row = await this.db
      .selectFrom('network_access')
      .select('value')
      .where('name', '=', 'allow-list')
      .executeTakeFirst()
    const allowed = (row?.value as AllowedSourceIps | undefined) ?? { allow: 'any' }
    const list = JSON.stringify(allowed)
    if (!this.#allows || list !== this.#list) {
      this.#list = list
      this.#allows = sourceFilter(allowed)
      for (const connection of this.#connections) this.#endIfExcluded(connection)
    }
    return this.#allows
  }

  /** Ends the connection once the list leaves out its address. Returns a function that forgets the connection. */
  watch(connection: Connection): () => void {
    this.#connections.add(connection)
    // The list may have changed since the request was checked.
    this.#endIfExcluded(connection)
    return () => void this.#connections.delete(connection)
  }

  #endIfExcluded({ address, end }: Connection): void {
    if (this.#allows && !this.#allows(address)) end()
  }

  /** Refuses before anything of the request is read. */
  async check(address: string): Promise<void> {
    const allows = this.#allows ?? (await this.refresh())
    if (!allows(address))
      throw new Refusal('Forbidden', 'Forbidden', {
        help: `The allow list of this installation does not contain your address, ${address}. Ask the operator to add it.`,
      })
  }
}

/** The guard of a process. */
export const allowListGuard = onceEach(({ db }: Services) => new AllowListGuard(db))
