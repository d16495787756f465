import type { Db } from '../db/database.ts'
import type { Row } from '../db/tables.ts'
import type { Environment } from '../environment.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { OpName } from '@gantry/api/registry'
import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import type { StoredTags } from '../db/tables/column-types.ts'

/** Tags that a request gives what it creates. */
export interface CreatedTags {
  /** What gets them. */
  kinds: readonly TaggedKind[]
  tags: StoredTags
}

/** What a change has recorded. */
export interface MadeChange {
  /** It precedes another change, which tells of both. */
  readonly isPrelude: boolean
  readonly records: readonly (Pick<
    Row<'change'>,
    'id' | 'kind' | 'op' | 'object_id' | 'name' | 'silo_id' | 'project_id' | 'generation' | 'time'
  > & {
    before: Readonly<Record<string, unknown>> | undefined
    after: Readonly<Record<string, unknown>> | undefined
  })[]
}

/** A job that this process runs until its lease ends. */
export type ClaimedJob = Pick<Row<'job'>, 'id' | 'kind' | 'args' | 'attempts'>

/** Wakes loops of this process; other processes find the work in the database. */
export interface Wake {
  changes: () => void
  jobs: () => void
  fleet: () => void
  restarts: () => void
  uploads: () => void
  actions: () => void
  updates: () => void
  /** A disk is to be adopted. */
  disks: () => void
  /** The members of a rack are to change. */
  racks: () => void
  networks: () => void
}

/** The services that all requests and loops of this process share; state of single parts: `once-each.ts`. */
export interface Services extends Omit<Environment, 'dialect' | 'fleet'> {
  db: Db
  /** The handler of each operation; its input has been parsed by the operation's schemas. */
  handlers: Readonly<Record<OpName, (cx: never, input: never) => Promise<unknown>>>
  wake: Wake
  /** The last change number known here to be published. */
  published: number | undefined
  /**
   * Runs a job that the request claimed, and waits for it unless it takes long (`toTheEnd`: however long); failures
   * are left to the loop.
   */
  runJob: (job: ClaimedJob, options?: { toTheEnd?: boolean }) => Promise<void>
  fleet: Fleet
  /** Answers a request for a plan, or one that carries out a plan (`RequestInfo.plan`). */
  planned: (cx: never, name: OpName, input: object) => Promise<unknown>
  /** Refuses a request that the caller's silo demands a second person for (`modules/plans/four-eyes.ts`). */
  refuseAlone: (cx: never, name: OpName, input: object) => Promise<void>
  /** The tags of what a request creates, of the header that gives them; refuses it if its silo demands others. */
  createdTags: (
    cx: never,
    name: OpName,
    header: string | null,
    input: object,
  ) => Promise<CreatedTags | undefined>
  /** Answers an identity provider that manages users (`modules/scim/requests.ts`). */
  scim: (cx: never, request: Request, url: URL) => Promise<Response>
  /** Set while a request is rehearsed: told of each of its changes. */
  rehearsed?: (made: MadeChange) => void
  /** Aborts when the process stops, to end streams and copies. */
  ending: AbortSignal
}
