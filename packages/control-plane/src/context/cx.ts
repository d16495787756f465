import type { Action } from '@gantry/api/extensions.rules'
import { baseVersion } from '@gantry/api/versions/version.rules'
import type { Transaction } from 'kysely'
import type { Actor, SiloUser } from '../authz/actor.ts'
import { permits, type ResourceLocation } from '../authz/policy.ts'
import type { Proof } from '../authz/proof.ts'
import type { Reader } from '../db/database.ts'
import type { PlainTables } from '../db/tables.ts'
import { newUuid } from './ids.ts'
import { type Breath, breather } from './pauses.ts'
import { unauthorized } from './refusal.ts'
import type { CreatedTags, Services } from './services.ts'

/** Metadata of the request. */
export interface RequestInfo {
  id: string
  operation: string
  uri: string
  address: string
  user_agent: string | null
  time_started: Date
  /** Status on success, for the audit record written with the change. */
  status: number
  /**
   * A change number that the response is guaranteed to include: the stream from there on reports everything
   * later.
   */
  published: number | undefined
  /** The entry of activity that the request's change makes, once it is committed. */
  entry: string | undefined
  /** The `If-Match` header, if sent. */
  if_match: string | undefined
  /** Whether rows follow those of the page in the response, whose token does not tell. */
  has_next_page: boolean | undefined
  /** The durable task whose step this is, with what it is about: what its steps delete belongs together. */
  task: { id: string; kind: string; object_id: string; name: string } | undefined
  /** Set where the request asks what it would do, or names the plan that it carries out. */
  plan: 'asked' | { hash: string } | undefined
  /** The tags of what the request creates. */
  created_tags: CreatedTags | undefined
  /** The version of the API that answers the request. */
  version: number
  /** What the caller sent, as it is kept for them, once it was read. */
  sent: string | undefined
  /** Details for the audit record besides the request. */
  details: Record<string, unknown> | null
  /** Whom an anonymous request concerns, once known: the account of a sign-in, also of a failed one. */
  subject: Subject | null
}

/** An account, or only the silo in which an unknown one was tried. */
export interface Subject {
  silo_id: string
  user_id: string | null
}

/** An object in words of the contract, with the place where it is. */
export interface About {
  kind: string
  id: string
  name: string | null
  silo_id: string | null
  project_id: string | null
}

/** What a change offers to hooks that write in the same transaction. */
export interface Alongside {
  readonly plain: Transaction<PlainTables>
  note: (kind: string, objectId: string, before: unknown, after: unknown) => void
}

/** The caller's context: actor, request, and everything that a service may use. */
export class Cx {
  /** The object of the operation, once found: `If-Match` applies to its generation. */
  target: { id: string; generation: number } | undefined
  /** The object that the request names, once found: the first one, if it names several. */
  about: About | undefined
  /** Runs at the start of every change, in its transaction. Throws if the change is not meant any more. */
  guard: ((tx: Alongside) => Promise<void>) | undefined
  /** Runs in the same transaction as the requested change, at its end. */
  alongside: ((tx: Alongside) => Promise<void>) | undefined
  /** True once the change has written the audit record. */
  audited = false
  /** The proof that a recognised caller still needs; until then nothing may be answered (`authz/proven-reads.ts`). */
  proof: Proof | undefined
  /** When the caller was last authenticated. */
  authenticated: Date
  /** Whether others ran since then, so that what the caller may do can have changed. */
  othersRan = false
  /** Charges the caller for work whose size only the handler learns, in items of lists (`pipeline/admission.ts`). */
  charge: (items: number) => void = () => {}
  /** What is deleted skips the recycle bin. */
  isForGood = false
  #changing = false

  constructor(
    readonly services: Services,
    /** Anonymous until the request is authenticated; the system for jobs and reconcilers. */
    public actor: Actor,
    readonly request: RequestInfo,
    /** The raw request, for the few operations that read cookies or stream. */
    readonly raw?: Request,
  ) {
    this.authenticated = request.time_started
  }

  /** Reads outside a change. Throws inside one, because the embedded database would deadlock. */
  get db(): Reader {
    if (this.#changing) throw new Error('inside a change, read through the change')
    return this.services.db
  }

  now(): Date {
    return this.services.clock()
  }

  newId(): string {
    return newUuid(this.services.random)
  }

  /** The signed-in user; 401 for an anonymous caller. */
  user(): SiloUser {
    if (this.actor.kind !== 'silo_user') throw unauthorized()
    return this.actor
  }

  /** For long work of this request: lets others run between its parts. */
  breather(): Breath {
    return breather(() => (this.othersRan = true))
  }

  can(action: Action, location: ResourceLocation): boolean {
    if (this.actor.kind === 'system') return true
    return this.actor.kind === 'silo_user' && permits(this.actor, action, location)
  }

  /** The same caller, for a request inside of this one: with other services, or known otherwise. */
  inner({
    services = this.services,
    request = {},
  }: {
    services?: Services
    request?: Partial<RequestInfo>
  }): Cx {
    const inner = new Cx(services, this.actor, { ...this.request, ...request }, this.raw)
    inner.authenticated = this.authenticated
    inner.charge = this.charge
    return inner
  }

  /** Runs one transaction; `db` is unavailable until it ends. */
  async exclusively<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.#changing) throw new Error('a change inside a change')
    this.#changing = true
    try {
      return await run()
    } finally {
      this.#changing = false
    }
  }
}

/** A context for jobs and reconcilers, which may do everything. */
export function systemCx(services: Services, operation: string): Cx {
  return new Cx(services, { kind: 'system' }, requestInfo(services, { operation }))
}

/** Request metadata before anything has been parsed. */
export const requestInfo = (services: Services, known: Partial<RequestInfo>): RequestInfo => ({
  id: '',
  operation: '',
  uri: '',
  address: '',
  user_agent: null,
  time_started: services.clock(),
  status: 200,
  published: undefined,
  entry: undefined,
  task: undefined,
  plan: undefined,
  created_tags: undefined,
  if_match: undefined,
  has_next_page: undefined,
  version: baseVersion,
  sent: undefined,
  details: null,
  subject: null,
  ...known,
})
