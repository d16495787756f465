import { sql, type Transaction } from 'kysely'
import { auditActor } from '../authz/actor.ts'
import { raiseRolesEpoch } from '../authz/held-roles.ts'
import type { NewRow, Patch, PlainTables, RoleTables, Row, TrackedName } from '../db/tables.ts'
import { auditRow } from './audit.ts'
import type { Cx, Reader, Tx } from './cx.ts'
import type { Job } from './define-job.ts'
import { type ClaimedJob, claimJobs, newJob } from './job-table.ts'
import { kindOfRow, kinds } from './kinds.ts'
import { alreadyExists, notFound, Refusal, unavailable } from './refusal.ts'
import { refuseTooManyRows } from './row-limits.ts'

/** Where a change happened: decides who hears of it. */
export interface Scope {
  silo_id: string | null
  project_id: string | null
}

/** What every tracked row has; a generic row's columns are beyond what the types can show. */
interface Identity {
  id: string
  generation: number
  name?: string | null
  external_id?: string
}
const identity = (row: unknown): Identity => row as Identity

/** A statement takes 65,535 parameters; no table has as many columns as would make these too many rows. */
const rowsAtOnce = 1000

const retryable = new Set(['40001', '40P01'])
const attempts = 5
/** A statement takes 65,535 parameters, and a record is 17 of them. */
const recordsAtOnce = 1000

/**
 * The one door through which anything is written. In one transaction: the rows with their generation raised, a
 * change record for each, the jobs, and the audit record of the request. `run` may be called again when the
 * database asks for a retry, so it decides from what it reads and has no effect outside the transaction.
 */
export const change = <Result>(cx: Cx, scope: Scope, run: (tx: Change) => Promise<Result>): Promise<Result> =>
  commit(cx, scope, async (made) => {
    const result = await run(made)
    await cx.alongside?.(made)
    await made.recordRequest()
    return result
  })

/** A change that another one of the same request follows: the audit record is left to that one. */
export const changeBefore = <Result>(
  cx: Cx,
  scope: Scope,
  run: (tx: Change) => Promise<Result>,
): Promise<Result> => commit(cx, scope, run)

async function commit<Result>(cx: Cx, scope: Scope, run: (tx: Change) => Promise<Result>): Promise<Result> {
  const { audited } = cx
  for (let attempt = 1; ; attempt++) {
    try {
      const [result, made] = await cx.exclusively(() =>
        cx.services.db.transaction().execute(async (tx) => {
          const made = new Change(cx, tx, scope)
          const value = await run(made)
          await made.finish()
          return [value, made] as const
        }),
      )
      made.wake()
      return result
    } catch (error) {
      cx.audited = audited
      const code = (error as { code?: string }).code ?? ''
      if (!retryable.has(code)) throw error
      if (attempt === attempts) throw unavailable('Others are changing the same objects. Try again.')
      await pause(cx)
    }
  }
}

/** What a service gives of a new row; identity and times are filled in. */
export type Fresh<Name extends TrackedName> = Omit<
  NewRow<Name>,
  'id' | 'time_created' | 'time_modified' | 'time_deleted' | 'generation'
> & { id?: string }

/** A moment of chance length, so that those who collided do not do so again. */
const pause = (cx: Cx): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, cx.services.random(1)[0] ?? 0))

export class Change {
  readonly #records: NewRow<'change'>[] = []
  readonly #id: string
  /** Written all at once, by the first who needs to find them and at the end. */
  #jobs: NewRow<'job'>[] = []
  #hasJobs = false
  #hasRoles = false

  constructor(
    readonly cx: Cx,
    private readonly tx: Tx,
    private scope: Scope,
  ) {
    this.#id = cx.newId()
  }

  /** Reads that see this transaction's own writes. */
  get read(): Reader & Pick<Tx, 'selectFrom'> {
    return this.tx
  }

  /** Rows of the machinery, which have no history of their own. */
  get plain(): Transaction<PlainTables> {
    return this.tx
  }

  /** Assignments and memberships; what anybody knows of roles ends when this change is committed. */
  get roles(): Transaction<RoleTables> {
    this.#hasRoles = true
    return this.tx
  }

  /** For a change that touches more than one project. */
  at(scope: Scope): void {
    this.scope = scope
  }

  /** The row as it is now, held until the end: decisions made from it cannot be overtaken. 404 when it is gone. */
  async lock<Name extends TrackedName>(table: Name, id: string): Promise<Row<Name>> {
    const row = (await this.tx
      .selectFrom(table as 'project')
      .selectAll()
      .where('id', '=', id)
      .where('time_deleted', 'is', null)
      .forUpdate()
      .executeTakeFirst()) as Row<Name> | undefined
    if (!row) throw notFound(kinds[table].word, { id })
    const { generation } = identity(row)
    if (this.cx.target?.id === id && !isExpected(this.cx, generation)) throw stale(generation)
    return row
  }

  /** Keeps an object from being deleted until the end, and lets others do the same: for parents. */
  async hold(table: TrackedName, id: string): Promise<void> {
    const row = await this.tx
      .selectFrom(table as 'project')
      .select('id')
      .where('id', '=', id)
      .where('time_deleted', 'is', null)
      .forShare()
      .executeTakeFirst()
    if (!row) throw notFound(kinds[table].word, { id })
  }

  async insert<Name extends TrackedName>(table: Name, values: Fresh<Name>): Promise<Row<Name>> {
    const filled = this.#filled(values)
    await refuseTooManyRows(this.tx, this.cx.services.settings, table, filled)
    const row = (await this.tx
      .insertInto(table as 'project')
      .values(filled as unknown as NewRow<'project'>)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        throw taken(error, kindOfRow(table, filled), (filled as { name?: string }).name)
      })) as unknown as Row<Name>
    this.#record(table, 'create', undefined, row)
    return row
  }

  /** Many of a kind whose names are known to be free: as few statements as it takes. */
  async insertAll<Name extends TrackedName>(table: Name, values: readonly Fresh<Name>[]): Promise<void> {
    for (const some of portions(values)) {
      const rows = (await this.tx
        .insertInto(table as 'project')
        .values(some.map((each) => this.#filled(each)) as unknown as NewRow<'project'>[])
        .returningAll()
        .execute()) as unknown as Row<Name>[]
      for (const row of rows) this.#record(table, 'create', undefined, row)
    }
  }

  /**
   * Writes what differs. `touch: false` leaves `time_modified` alone, for what changes by itself. A row that
   * changed since it was read is refused, never overwritten.
   */
  async update<Name extends TrackedName>(
    table: Name,
    row: Row<Name>,
    patch: Patch<Name>,
    options: { touch?: boolean } = {},
  ): Promise<Row<Name>> {
    const { id, generation } = identity(row)
    const touched = options.touch === false ? {} : { time_modified: this.cx.now() }
    const next = (await this.tx
      .updateTable(table as 'project')
      .set({ ...(patch as object), ...touched, generation: generation + 1 })
      .where('id', '=', id)
      .where('generation', '=', generation)
      .returningAll()
      .executeTakeFirst()
      .catch((error: unknown) => {
        throw taken(error, kindOfRow(table, row), (patch as { name?: string }).name)
      })) as unknown as Row<Name> | undefined
    if (!next)
      throw new Refusal('Conflict', `${kinds[table].word} has changed`, {
        help: 'Review its current state, then try again.',
      })
    this.#record(table, 'update', row, next)
    return next
  }

  /** Soft: the row stays for history, its name is free at once. */
  async remove<Name extends TrackedName>(table: Name, row: Row<Name>): Promise<void> {
    const { id, generation } = identity(row)
    const now = this.cx.now()
    const gone = await this.tx
      .updateTable(table as 'project')
      .set({ time_deleted: now, time_modified: now, generation: generation + 1 })
      .where('id', '=', id)
      .where('generation', '=', generation)
      .executeTakeFirst()
    if (gone.numUpdatedRows === 0n) throw notFound(kinds[table].word, { id })
    this.#record(table, 'delete', row, undefined)
  }

  /** The same for many that are held by this change, so that none of them can be another one by now. */
  async removeAll<Name extends TrackedName>(table: Name, rows: readonly Row<Name>[]): Promise<void> {
    const now = this.cx.now()
    for (const some of portions(rows)) {
      await this.tx
        .updateTable(table as 'project')
        .set((expression) => ({
          time_deleted: now,
          time_modified: now,
          generation: expression('generation', '+', 1),
        }))
        .where(
          'id',
          'in',
          some.map((row) => identity(row).id),
        )
        .execute()
      for (const row of some) this.#record(table, 'delete', row, undefined)
    }
  }

  /** Something that has no row of its own changed (a policy, quotas). */
  note(kind: string, objectId: string, before: unknown, after: unknown): void {
    this.#push(kind, 'update', objectId, null, 0, before, after)
  }

  /** Work to do once this is committed; it survives a kill between here and there. */
  async job<Args>(job: Job<Args>, args: NoInfer<Args>, runAt: Date = this.cx.now()): Promise<string> {
    const row = newJob(this.cx, job, args, runAt)
    this.#jobs.push(row)
    return row.id
  }

  /** Keeps a job of this change for this very request, before any loop can see it. */
  async takeJob(id: string): Promise<ClaimedJob> {
    await this.#writeJobs()
    const { rows } = await claimJobs(this.cx.now(), sql`id = ${id}`).execute(this.tx)
    const [job] = rows
    if (!job) throw new Error('only a job of this change can be taken')
    return job
  }

  async #writeJobs(): Promise<void> {
    const jobs = this.#jobs.splice(0)
    if (jobs.length > 0) this.#hasJobs = true
    for (let at = 0; at < jobs.length; at += rowsAtOnce)
      await this.tx
        .insertInto('job')
        .values(jobs.slice(at, at + rowsAtOnce))
        .execute()
  }

  /** Writes jobs and records; called once by the door. */
  async finish(): Promise<void> {
    await this.#writeJobs()
    for (let at = 0; at < this.#records.length; at += recordsAtOnce)
      await this.tx
        .insertInto('change')
        .values(this.#records.slice(at, at + recordsAtOnce))
        .execute()
    // Last, since all changes of roles wait for each other here.
    if (this.#hasRoles) await raiseRolesEpoch(this.plain)
  }

  /** The audit record of a person's request, as it will have ended when this is committed. */
  async recordRequest(): Promise<void> {
    if (this.cx.actor.kind !== 'system' && !this.cx.audited) {
      await this.tx
        .insertInto('audit')
        .values(auditRow(this.cx, { status: this.cx.request.status }))
        .execute()
      this.cx.audited = true
    }
  }

  wake(): void {
    if (this.#records.length > 0) this.cx.services.wake.changes()
    if (this.#hasJobs) this.cx.services.wake.jobs()
    this.cx.services.wake.fleet()
  }

  /** What a new row has beside what is given of it. */
  #filled<Name extends TrackedName>(values: Fresh<Name>) {
    const now = this.cx.now()
    return { id: this.cx.newId(), ...values, time_created: now, time_modified: now }
  }

  #record<Name extends TrackedName>(
    table: Name,
    op: 'create' | 'update' | 'delete',
    before?: Row<Name>,
    after?: Row<Name>,
  ): void {
    const row = identity(after ?? before)
    const generation = op === 'delete' ? row.generation + 1 : row.generation
    const kind = kindOfRow(table, (after ?? before) as Record<string, unknown>)
    this.#push(kind, op, row.id, row.name ?? row.external_id ?? null, generation, before, after)
  }

  #push(
    kind: string,
    op: 'create' | 'update' | 'delete',
    id: string,
    name: string | null,
    generation: number,
    before: unknown,
    after: unknown,
  ): void {
    this.#records.push({
      id: this.cx.newId(),
      transaction_id: this.#id,
      position: this.#records.length,
      time: this.cx.now(),
      silo_id: this.scope.silo_id,
      project_id: this.scope.project_id,
      kind,
      op,
      object_id: id,
      name,
      generation,
      before: before === undefined ? null : JSON.stringify(before),
      after: after === undefined ? null : JSON.stringify(after),
      actor: JSON.stringify(auditActor(this.cx.actor)),
      request_id: this.cx.request.id || null,
      operation: this.cx.request.operation,
      seq: null,
    })
  }
}

function* portions<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += rowsAtOnce) yield items.slice(start, start + rowsAtOnce)
}

export const stale = (generation: number): Refusal =>
  new Refusal('PreconditionFailed', 'the object changed since it was read', {
    help: 'Review the current state, then try again.',
    details: { etag: etagOf(generation) },
  })

/** Whether `If-Match`, where the caller sent one, speaks of this generation. */
export function isExpected(cx: Cx, generation: number): boolean {
  const wanted = cx.request.if_match?.split(',').map((tag) => tag.trim())
  return !wanted || wanted.includes('*') || wanted.includes(etagOf(generation))
}

export const etagOf = (generation: number): string => `"${generation}"`

/** A unique index said no: another live object has the name. Other indexes are for their service to explain. */
function taken(error: unknown, kind: string, name: string | undefined): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint?.endsWith('name_key') && name !== undefined
    ? alreadyExists(kind, name)
    : error
}
