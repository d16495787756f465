import type { AllowedSourceIps } from '@gantry/api/network-access'
import { sourceFilter } from '@gantry/api/network-access.rules'
import type { Reader } from '../db/database.ts'
import { Refusal } from './refusal.ts'

type Filter = ReturnType<typeof sourceFilter>

/** The addresses that may reach this process, kept in memory because every request asks. */
export class AllowListGuard {
  #list: string | undefined
  #allows: Filter | undefined

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
    }
    return this.#allows
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
