import type { Credential } from '../db/tables.ts'
import type { SiloUser } from './actor.ts'
import type { CredentialSource } from './credential-text.ts'
import { isFresh } from './held-roles.ts'
import { Proof } from './proof.ts'
import { onceEach } from '../context/once-each.ts'
import type { Services } from '../context/services.ts'

/** A credential's user, when the roles were read, and all that both rest on as one text. */
export interface Holder {
  actor: SiloUser
  rolesAt: number
  print: string
}

/** A caller as read a moment ago, not yet proven for this request. */
export interface Recognised {
  actor: SiloUser
  proof: Proof
}

interface Read extends Holder {
  source: CredentialSource
  bound: (now: Date) => readonly unknown[]
  /** When the credential expires, in ms. */
  endsAt: number
}

const maxKept = 10_000

/**
 * The callers that this process has authenticated within the last seconds, by the secret they sent. A read by
 * one of them begins at once with the roles read then, and its first statement also holds the proof, so that
 * most views take one statement. Nothing is answered unproven: once a session, user, silo or role has changed
 * in any process, the read is discarded and authenticated anew (`pipeline/pipeline.ts`).
 */
export class RecentCallers {
  readonly #kept = new Map<string, Read>()

  keep(method: Credential['method'], secret: string, read: Read): void {
    if (this.#kept.size >= maxKept) this.#kept.clear()
    this.#kept.set(`${method} ${secret}`, read)
  }

  recognise(method: Credential['method'], secret: string, now: Date): Recognised | undefined {
    const key = `${method} ${secret}`
    const read = this.#kept.get(key)
    if (!read) return undefined
    if (!isFresh(read.rolesAt, now.getTime()) || now.getTime() > read.endsAt) {
      this.#kept.delete(key)
      return undefined
    }
    const { actor, source, bound, print } = read
    return { actor, proof: new Proof(source, bound(now), print) }
  }
}

/** Those of a process. */
export const recentCallers = onceEach((_services: Services) => new RecentCallers())

/** The facts behind a recognised caller have changed: the request starts over and authenticates. */
export class Outdated extends Error {}
