import type { Action } from '@gantry/api/extensions.rules'
import type { Kysely, Transaction } from 'kysely'
import { type Actor, type SiloUser } from '../authz/actor.ts'
import type { HeldRoles } from '../authz/held-roles.ts'
import { permits, type Place } from '../authz/policy.ts'
import type { Tables } from '../db/tables.ts'
import type { Environment } from '../environment.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Change } from './change.ts'
import type { ChangeFeed } from './change-feed.ts'
import { unauthorized } from './refusal.ts'
import type { ClaimedJob } from './job-table.ts'

export type Db = Kysely<Tables>
/** What may be asked of the database outside a change: nothing that writes. */
export type Reader = Pick<Db, 'selectFrom' | 'fn' | 'with' | 'getExecutor' | 'executeQuery'>
export type Tx = Transaction<Tables>

/** What the request told about itself. */
export interface RequestInfo {
  id: string
  operation: string
  uri: string
  address: string
  user_agent: string | null
  time_started: Date
  /** Status that success will have, for the audit record written with the change. */
  status: number
  /**
   * A change number that the answer surely includes: the change stream from there on tells of everything that
   * happened since.
   */
  published: number | undefined
  /** `If-Match`, where the caller sent one. */
  if_match: string | undefined
}

/** Wakes loops of this process; other processes find the work in the database. */
export interface Wake {
  changes: () => void
  jobs: () => void
  fleet: () => void
  restarts: () => void
  uploads: () => void
}

/** What every request and loop of this process shares. */
export interface Services extends Omit<Environment, 'dialect'> {
  db: Db
  wake: Wake
  /** Roles of those who called this process lately. */
  heldRoles: HeldRoles
  /** The last change number that this process knows to be published. */
  published: number | undefined
  /** What the streams of changes of this process send. */
  feed: ChangeFeed
  /** Does a job that the request took; what fails is left to the loop. */
  runJob: (job: ClaimedJob) => Promise<void>
  fleet: Fleet
  /** Writes of bytes that are under way in this process (`modules/storage/writes.ts`). */
  writes: Set<Promise<unknown>>
  /** Streams of changes that each person follows in this process, by the person's id. */
  followers: Map<string, number>
  /** Aborts when the process stops, so that streams end. */
  ending: AbortSignal
}

/** The caller's context: who asks, through what, and everything that a service may reach. */
export class Cx {
  /** The object that the operation is about, once found: `If-Match` speaks of its generation. */
  target: { id: string; generation: number } | undefined
  /** Done in the same transaction as what was asked for, at its end. */
  alongside: ((tx: Change) => Promise<void>) | undefined
  /** Set once the change wrote the audit record. */
  audited = false
  #changing = false

  constructor(
    readonly services: Services,
    /** Nobody until the request was read; the machinery itself for jobs and reconcilers. */
    public actor: Actor,
    readonly request: RequestInfo,
    /** The request as it came, for the few that read cookies or stream. */
    readonly raw?: Request,
  ) {}

  /** Reads outside a change. Inside one it throws, since an embedded database would wait for itself for ever. */
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

  /** The person who asks; 401 where nobody signed in. */
  user(): SiloUser {
    if (this.actor.kind !== 'silo_user') throw unauthorized()
    return this.actor
  }

  can(action: Action, place: Place): boolean {
    if (this.actor.kind === 'system') return true
    return this.actor.kind === 'silo_user' && permits(this.actor, action, place)
  }

  /** Runs one transaction; while it lasts, `db` is out of reach. */
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

/** A random (version 4) UUID in the one form that ids have here. */
export function newUuid(random: Environment['random']): string {
  const bytes = random(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = toHex(bytes)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A context of the machinery itself, for jobs and reconcilers: it may do everything. */
export function systemCx(services: Services, operation: string): Cx {
  return new Cx(services, { kind: 'system' }, requestInfo(services, { operation }))
}

/** A request's story before anything of it was read. */
export const requestInfo = (services: Services, known: Partial<RequestInfo>): RequestInfo => ({
  id: '',
  operation: '',
  uri: '',
  address: '',
  user_agent: null,
  time_started: services.clock(),
  status: 200,
  published: undefined,
  if_match: undefined,
  ...known,
})
