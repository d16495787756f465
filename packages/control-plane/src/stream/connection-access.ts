import type { Credential } from '../db/tables.ts'
import { Refusal } from '../context/refusal.ts'
import type { Services } from '../context/services.ts'
import type { SiloUser } from '../authz/actor.ts'
import { identifyListener } from '../authz/authenticate.ts'
import { readPrints } from '../authz/open-credentials.ts'
import { changeFeed } from './change-feed.ts'

/**
 * The right of a connection that stays open: its user must remain signed in, with the role. What both rest on is one
 * text, the print; only when that changes are user and roles read again.
 */
export class ConnectionAccess {
  /** The print that was last found to grant the right. */
  #print: string | undefined

  constructor(
    private readonly services: Services,
    private readonly request: Request,
    readonly credential: Credential,
    private readonly may: (user: SiloUser) => boolean,
  ) {}

  /** Whether this print, read a moment ago, needs no further look. */
  isKnown(print: string | undefined): boolean {
    return print !== undefined && print === this.#print
  }

  /** Whether the right remains, by a print read a moment ago; undefined if the credential has ended. */
  async holdsAt(print: string | undefined): Promise<boolean> {
    if (print === undefined) return false
    if (print === this.#print) return true
    const { services, request } = this
    // A change of roles concerns many connections at once.
    const user = await changeFeed(services)
      .identifyInTurn(() => identifyListener(services, request))
      .catch((error: unknown) => {
        if (error instanceof Refusal && error.code === 'Unauthorized') return undefined
        throw error
      })
    if (user?.kind !== 'silo_user' || !this.may(user)) return false
    this.#print = print
    return true
  }

  /** Whether the right remains now. */
  async holds(): Promise<boolean> {
    const prints = await readPrints(this.services, [this.credential])
    return this.holdsAt(prints.get(this.credential.id))
  }
}
