import type { HeldRoles } from '../authz/held-roles.ts'
import type { RecentCallers } from '../authz/recent-callers.ts'
import type { Db } from '../db/database.ts'
import type { Row } from '../db/tables.ts'
import type { Environment } from '../environment.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { AllowListGuard } from '../pipeline/allow-list.ts'
import type { ChangeFeed } from '../stream/change-feed.ts'
import type { Positions } from '../stream/positions.ts'
import type { RecentProjects } from '../lookup/recent-projects.ts'
import type { RowAllowances } from '../change/row-limits.ts'

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
  networks: () => void
}

/** What all requests and loops of this process share. */
export interface Services extends Omit<Environment, 'dialect' | 'fleet'> {
  db: Db
  wake: Wake
  /** Cached roles of recent callers. */
  heldRoles: HeldRoles
  recentCallers: RecentCallers
  recentProjects: RecentProjects
  rowAllowances: RowAllowances
  /** The last change number known here to be published. */
  published: number | undefined
  /** Seals what is published of change numbers. */
  positions: Positions
  /** The feed behind this process's change streams. */
  feed: ChangeFeed
  /**
   * Runs a job that the request claimed, and waits for it unless it takes long (`toTheEnd`: however long); failures
   * are left to the loop.
   */
  runJob: (job: ClaimedJob, options?: { toTheEnd?: boolean }) => Promise<void>
  fleet: Fleet
  allowList: AllowListGuard
  /** Writes of bytes in progress in this process (`modules/storage/writes.ts`). */
  writes: Set<Promise<unknown>>
  /** Objects that images are being converted to in this process (`modules/storage/upload-conversion.ts`). */
  conversions: Set<string>
  /** Open change streams of each user in this process, by user id. */
  followers: Map<string, number>
  /** Aborts when the process stops, to end streams and copies. */
  ending: AbortSignal
}
