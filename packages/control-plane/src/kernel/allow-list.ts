import type { AllowedSourceIps } from '@gantry/api/network-access'
import { isAllowedSource } from '@gantry/api/network-access.rules'
import type { Reader } from '../db/database.ts'
import { Refusal } from './refusal.ts'

/** The addresses that may reach this process, kept in memory because every request asks. */
export class AllowListGuard {
  #allowed: AllowedSourceIps | undefined

  constructor(private readonly db: Reader) {}

  async refresh(): Promise<AllowedSourceIps> {
    const row = await this.db
      .selectFrom('network_access')
      .select('value')
      .where('name', '=', 'allow-list')
      .executeTakeFirst()
    this.#allowed = (row?.value as AllowedSourceIps | undefined) ?? { allow: 'any' }
    return this.#allowed
  }

  /** Refuses before anything of the request is read. */
  async check(address: string): Promise<void> {
    const allowed = this.#allowed ?? (await this.refresh())
    if (!isAllowedSource(allowed, address))
      throw new Refusal('Forbidden', 'Forbidden', {
        help: `The allow list of this installation does not contain your address, ${address}. Ask the operator to add it.`,
      })
  }
}
