import { type InsertQueryBuilder, type InsertResult, sql, type Transaction } from 'kysely'
import { auditActor } from '../authz/actor.ts'
import { raiseRolesEpoch } from '../authz/held-roles.ts'
import type { NewRow, Patch, PlainTables, RoleTables, Row, TrackedName } from '../db/tables.ts'
import { portions } from '../db/portions.ts'
import { entriesOf, holderOf, mayBeReverted, placesIn, type Recorded } from './activity.ts'
import { auditRow } from './audit.ts'
import type { Cx } from '../context/cx.ts'
import type { Reader, Tx } from '../db/database.ts'
import type { Job } from './define-job.ts'
import { claimJobs, newJob } from './job-table.ts'
import type { ClaimedJob, MadeChange } from '../context/services.ts'
import { isExpected, stale } from '../lookup/etag.ts'
import { kindOfRow, kinds } from '../lookup/kinds.ts'
import type { Authorised } from '../lookup/need.ts'
import { alreadyExists, notFound, Refusal, unavailable } from '../context/refusal.ts'
import { refuseProtected } from './protection.ts'
import { refuseTooManyRows } from './row-limits.ts'
import { TagRows } from './tags.ts'
import { taskOf } from './task.ts'

/** Where a change happened; decides who may see it. */
export interface Scope {
  silo_id: string | null
  project_id: string | null
}

/** The scope of objects outside of any silo. */
export const fleetScope = { silo_id: null, project_id: null } as const satisfies Scope

/** Columns that every tracked row has; the types of a generic row cannot express more. */
interface Identity {
  id: string
  generation: number
  name?: string | null
  external_id?: string
}
type Contents = Recorded['before']
const identity = (row: unknown): Identity => row as Identity

const retryable = new Set(['40001', '40P01'])

/** Whether the database asks to run the transaction again. */
export const isRetryable = (error: unknown): boolean => retryable.has((error as { code?: string }).code ?? '')
const attempts = 5

/**
 * The only way to write. One transaction holds the rows with their generation raised, a change record for
 * each, the jobs, and the audit record of the request. The database may require a retry, so `run` must decide
 * from what it reads and have no effect outside the transaction.
 */
export const change = <Result>(cx: Cx, scope: Scope, run: (tx: Change) => Promise<Result>): Promise<Result> =>
  commit(cx, scope, false, async (made) => {
    const result = await run(made)
    await cx.alongside?.(made)
    made.recordRequest()
    return result
  })

/** A change that precedes another one of the same request; the later one writes the audit record and is told of. */
export const changeBefore = <Result>(
  cx: Cx,
  scope: Scope,
  run: (tx: Change) => Promise<Result>,
): Promise<Result> => commit(cx, scope, true, run)

/** One of several changes of a request that are each told of. The request's audit record is written when it ends. */
export const changeAmong = <Result>(
  cx: Cx,
  scope: Scope,
  run: (tx: Change) => Promise<Result>,
): Promise<Result> => commit(cx, scope, false, run)

async function commit<Result>(
  cx: Cx,
  scope: Scope,
  isPrelude: boolean,
  run: (tx: Change) => Promise<Result>,
): Promise<Result> {
  const { audited } = cx
  for (let attempt = 1; ; attempt++) {
    try {
      const [result, made] = await cx.exclusively(() =>
        cx.services.db.transaction().execute(async (tx) => {
          const made = new Change(cx, tx, scope, isPrelude)
          await cx.guard?.(made)
          const value = await run(made)
          await made.finish()
          cx.services.rehearsed?.(made)
          return [value, made] as const
        }),
      )
      made.settle()
      return result
    } catch (error) {
      cx.audited = audited
      if (!isRetryable(error)) throw error
      if (attempt === attempts) throw unavailable('Others are changing the same objects. Try again.')
      await pause(cx)
    }
  }
}

/** The columns that a service supplies for a new row; identity and times are filled in. */
export type Fresh<Name extends TrackedName> = Omit<
  NewRow<Name>,
  'id' | 'time_created' | 'time_modified' | 'time_deleted' | 'generation'
> & { id?: string }

/** A random pause, so that conflicting transactions do not collide again. */
const pause = (cx: Cx): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, cx.services.random(1)[0] ?? 0))

export class Change {
  readonly #records: (Recorded & Pick<Row<'change'>, 'generation' | 'time'>)[] = []
  readonly #removed: { table: TrackedName; id: string }[] = []
  /** How many of the records have their rows. */
  #written = 0
  readonly #id: string
  /** Written in one batch, when a caller first needs to find them or at the end. */
  #jobs: NewRow<'job'>[] = []
  #hasJobs = false
  #audit: NewRow<'audit'> | undefined
  #hasRoles = false
  #entry: string | undefined
  readonly #tags = new TagRows()
  readonly #last: (() => Promise<void>)[] = []

  constructor(
    readonly cx: Cx,
    private readonly tx: Tx,
    public scope: Scope,
    /** It precedes another change of the same request, which tells of both. */
    readonly isPrelude: boolean,
  ) {
    this.#id = cx.newId()
  }

  /** Reads inside this transaction, including its own writes. */
  get read(): Reader & Pick<Tx, 'selectFrom'> {
    return this.tx
  }

  /** Internal tables, which have no change records. */
  get plain(): Transaction<PlainTables> {
    return this.tx
  }

  /** Role assignments and memberships; committing this change invalidates all cached roles. */
  get roles(): Transaction<RoleTables> {
    this.#hasRoles = true
    return this.tx
  }

  /** For a change that touches more than one project. */
  at(scope: Scope): void {
    this.scope = scope
  }

  /**
   * The current row of an object for which the caller was authorised, locked until the transaction ends, so that
   * decisions based on it stay valid. 404 when it was deleted.
   */
  lock<Name extends TrackedName>(table: Name, row: Authorised<Name>): Promise<Row<Name>> {
    return this.lockById(table, identity(row).id)
  }

  /**
   * The same for a row without an authorisation of its own: a part or parent of such an object, an object of the caller,
   * or one that a job of the platform processes.
   */
  async lockById<Name extends TrackedName>(table: Name, id: string): Promise<Row<Name>> {
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

  /** The same for what is to be deleted. Refused before anything else, so that no user empties first what is protected. */
  async lockToDelete<Name extends TrackedName>(table: Name, row: Authorised<Name>): Promise<Row<Name>> {
    const locked = await this.lock(table, row)
    await refuseProtected(this, table, locked, 'delete')
    return locked
  }

  /** Takes a shared lock that prevents deletion until the transaction ends; used for parents. */
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
    const filled = { ...this.#filled(values), ...this.#createdTags(table, values) }
    await refuseTooManyRows(this.tx, this.cx.services, table, filled)
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

  /** Inserts many rows of a kind whose names are known to be free, in as few statements as possible. */
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
   * Writes the columns that differ. `touch: false` leaves `time_modified` unchanged, for changes that no user
   * made. Refuses when the row has changed since it was read.
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

  /** Writes the same columns of many rows that this change holds locked, so that none can have changed meanwhile. */
  async updateAll<Name extends TrackedName>(
    table: Name,
    rows: readonly Row<Name>[],
    patch: Patch<Name>,
    options: { touch?: boolean } = {},
  ): Promise<void> {
    const touched = options.touch === false ? {} : { time_modified: this.cx.now() }
    for (const some of portions(rows)) {
      const before = new Map(some.map((row) => [identity(row).id, row]))
      const updated = (await this.tx
        .updateTable(table as 'project')
        .set((expression) => ({
          ...(patch as object),
          ...touched,
          generation: expression('generation', '+', 1),
        }))
        .where('id', 'in', [...before.keys()])
        .returningAll()
        .execute()) as unknown as Row<Name>[]
      for (const row of updated) this.#record(table, 'update', before.get(identity(row).id), row)
    }
  }

  /** Deletes softly: the row stays for history, and its name is free at once. Refuses what is protected. */
  async remove<Name extends TrackedName>(table: Name, row: Row<Name>): Promise<void> {
    await refuseProtected(this, table, row, 'delete')
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

  /** Deletes many rows that this change holds locked, so that none can have changed meanwhile. */
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

  /** A deleted row, locked until the transaction ends; undefined if it is not there, or not deleted. */
  async lockDeleted<Name extends TrackedName>(table: Name, id: string): Promise<Row<Name> | undefined> {
    return (await this.tx
      .selectFrom(table as 'project')
      .selectAll()
      .where('id', '=', id)
      .where('time_deleted', 'is not', null)
      .forUpdate()
      .executeTakeFirst()) as Row<Name> | undefined
  }

  /** Brings a deleted row back under its id. The row is locked; its name may be taken, which refuses this. */
  async restore<Name extends TrackedName>(
    table: Name,
    row: Row<Name>,
    patch: Patch<Name>,
  ): Promise<Row<Name>> {
    await refuseTooManyRows(this.tx, this.cx.services, table, { ...row, ...(patch as object) })
    const { id, generation } = identity(row)
    const restored = (await this.tx
      .updateTable(table as 'project')
      .set({
        ...(patch as object),
        time_deleted: null,
        time_modified: this.cx.now(),
        generation: generation + 1,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        const { name } = { ...row, ...(patch as object) } as { name?: string }
        throw taken(error, kindOfRow(table, row), name)
      })) as unknown as Row<Name>
    this.#record(table, 'create', undefined, restored)
    return restored
  }

  /** The same for rows that were deleted with their parent, whose names are therefore free. */
  async restoreAll(table: TrackedName, ids: readonly string[]): Promise<void> {
    for (const some of portions(ids)) {
      const rows = (await this.tx
        .updateTable(table as 'project')
        .set((expression) => ({
          time_deleted: null,
          time_modified: this.cx.now(),
          generation: expression('generation', '+', 1),
        }))
        .where('id', 'in', some)
        .where('time_deleted', 'is not', null)
        .returningAll()
        .execute()) as unknown as Row<'project'>[]
      for (const row of rows) this.#record(table as 'project', 'create', undefined, row)
    }
  }

  /** Records that something deleted earlier is gone for good. */
  purged(
    kind: string,
    objectId: string,
    { name, reason }: { name: string; reason: string },
    scope: Scope,
  ): void {
    this.#note(kind, objectId, { op: 'delete', name, after: { reason } }, scope)
  }

  /** The rows that this change deleted, by table, except one. */
  removed(except: string): Partial<Record<TrackedName, string[]>> {
    const ids: Partial<Record<TrackedName, string[]>> = {}
    for (const { table, id } of this.#removed) if (id !== except) (ids[table] ??= []).push(id)
    return ids
  }

  /** Records a change to something without a row of its own (a policy, quotas), or for others than the scope's. */
  note(kind: string, objectId: string, before: unknown, after: unknown, scope = this.scope): void {
    this.#note(
      kind,
      objectId,
      { op: 'update', name: null, before: before as Contents, after: after as Contents },
      scope,
    )
  }

  #note(
    kind: string,
    object_id: string,
    what: Pick<Recorded, 'op' | 'name'> & Partial<Pick<Recorded, 'before' | 'after'>>,
    { silo_id, project_id }: Scope,
  ): void {
    this.#records.push({
      id: this.cx.newId(),
      kind,
      object_id,
      generation: 0,
      before: undefined,
      after: undefined,
      holder_id: null,
      time: this.cx.now(),
      silo_id,
      project_id,
      ...what,
    })
  }

  /** Queues work to run after the commit; a crash in between does not lose it. */
  async job<Args>(job: Job<Args>, args: NoInfer<Args>, runAt: Date = this.cx.now()): Promise<string> {
    const row = newJob(this.cx, job, args, { runAt, project_id: this.scope.project_id })
    this.#jobs.push(row)
    return row.id
  }

  /** Claims a queued job for this request, before any loop can see it. */
  async takeJob(id: string): Promise<ClaimedJob> {
    for (const insert of this.#jobInserts()) await insert.execute()
    const { rows } = await claimJobs(this.cx.now(), sql`id = ${id}`).execute(this.tx)
    const [job] = rows
    if (!job) throw new Error('only a job of this change can be taken')
    return job
  }

  /** The inserts of what is queued, which the caller sends. */
  #jobInserts(): Insert[] {
    const jobs = this.#jobs.splice(0)
    if (jobs.length > 0) this.#hasJobs = true
    return portions(jobs).map((some) => this.tx.insertInto('job').values(some))
  }

  /** What it has recorded so far. */
  get records(): MadeChange['records'] {
    return this.#records
  }

  /** Runs right before the commit; for rows that many changes lock. */
  last(work: () => Promise<void>): void {
    this.#last.push(work)
  }

  /** Writes what is queued, and then does the last work; called once in each attempt. */
  async finish(): Promise<void> {
    const [jobs, ...moreJobs] = this.#jobInserts()
    const [records, ...moreRecords] = portions(this.#changeRows())
    const insert = (some: readonly NewRow<'change'>[]) => this.tx.insertInto('change').values(some)
    const audit = this.#audit && this.tx.insertInto('audit').values(this.#audit)
    // Nearly every change of a user has few of each, and they take one statement.
    await insertTogether(this.tx, [audit, jobs, records && insert(records)])
    for (const some of moreJobs) await some.execute()
    for (const some of moreRecords) await insert(some).execute()
    await this.#tags.write(this.tx)
    for (const work of this.#last) await work()
    // What the last work added.
    await this.#tags.write(this.tx)
    for (const some of this.#jobInserts()) await some.execute()
    for (const some of portions(this.#changeRows())) await insert(some).execute()
    // Last, because all role changes serialise on this row.
    if (this.#hasRoles) await raiseRolesEpoch(this.plain)
  }

  /** Adds the audit record of a user's request, with the status it will have once this commits. */
  recordRequest(): void {
    if (this.cx.actor.kind === 'system' || this.cx.audited) return
    this.#audit = auditRow(this.cx, { status: this.cx.request.status }, this.scope.silo_id)
    this.cx.audited = true
  }

  /** Once it is committed. */
  settle(): void {
    if (this.#entry !== undefined) this.cx.request.entry = this.#entry
    if (this.#records.length > 0) this.cx.services.wake.changes()
    if (this.#hasJobs) this.cx.services.wake.jobs()
    // An object just created has no machine; starting it queues a job.
    if (this.#records.some(({ op }) => op !== 'create')) this.cx.services.wake.fleet()
  }

  /** The columns of a new row that the service does not supply. */
  #filled<Name extends TrackedName>(values: Fresh<Name>) {
    const now = this.cx.now()
    return { id: this.cx.newId(), ...values, time_created: now, time_modified: now }
  }

  /** The tags that the request gives what it creates. */
  #createdTags<Name extends TrackedName>(table: Name, values: Fresh<Name>): { tags?: string } {
    const given = this.cx.request.created_tags
    if (!given) return {}
    const kind = kindOfRow(table, values)
    return (given.kinds as readonly string[]).includes(kind) ? { tags: JSON.stringify(given.tags) } : {}
  }

  #record<Name extends TrackedName>(
    table: Name,
    op: 'create' | 'update' | 'delete',
    before?: Row<Name>,
    after?: Row<Name>,
  ): void {
    const row = identity(after ?? before)
    if (op === 'delete') this.#removed.push({ table, id: row.id })
    const generation = op === 'delete' ? row.generation + 1 : row.generation
    const kind = kindOfRow(table, (after ?? before) as Record<string, unknown>)
    this.#tags.note(kind, before, after, this.scope)
    this.#records.push({
      id: this.cx.newId(),
      kind,
      op,
      object_id: row.id,
      name: row.name ?? row.external_id ?? null,
      generation,
      before: before,
      after: after,
      holder_id: holderOf(table, before, after),
      time: this.cx.now(),
      ...this.scope,
      // What happened to a project is told where its contents are.
      ...(kind === 'project' && { project_id: row.id }),
    })
  }

  /** The rows of the records that are not written yet, with the entries of activity that they make. */
  #changeRows(): NewRow<'change'>[] {
    const { actor, request } = this.cx
    const begin = this.#written
    const records = this.#records.slice(begin)
    this.#written = this.#records.length
    const entries = this.isPrelude
      ? []
      : entriesOf(records, {
          operation: request.operation,
          about: this.cx.about?.id,
          isPlatform: actor.kind === 'system',
        })
    this.#entry ??= entries.find(({ lead, action }) => mayBeReverted(lead, action))?.lead.id
    const actions = new Map(entries.map(({ lead, action }) => [lead.id, action]))
    const places = new Map(entries.flatMap(({ lead, members }) => [...placesIn(lead, members)]))
    const entryOf = new Map(entries.flatMap(({ lead, members }) => members.map(({ id }) => [id, lead.id])))
    const named = new Set(records.map(({ object_id }) => object_id))
    const leads = new Set(entries.map(({ lead }) => lead.object_id))
    const asked = { ...request, request_id: request.id, isPlatform: actor.kind === 'system' }
    return records.map(({ before, after, holder_id, ...record }, position) => ({
      ...record,
      transaction_id: this.#id,
      position: begin + position,
      before: before === undefined || before === null ? null : JSON.stringify(before),
      after: after === undefined || after === null ? null : JSON.stringify(after),
      actor: JSON.stringify(auditActor(actor)),
      request_id: request.id || null,
      operation: request.operation,
      seq: null,
      action: actions.get(record.id) ?? null,
      entry_id: entryOf.get(record.id) ?? null,
      entry_place: places.get(record.id) ?? null,
      task: taskOf({ ...record, before, after, isLead: leads.has(record.object_id) }, asked),
      // One with a record of its own needs none of its parts to be found.
      holder_id: holder_id !== null && named.has(holder_id) ? null : holder_id,
    }))
  }
}

type Insert = Pick<InsertQueryBuilder<PlainTables, never, InsertResult>, 'toOperationNode' | 'execute'>

/** Sends inserts of several tables as one statement. */
async function insertTogether(tx: Tx, inserts: readonly (Insert | undefined)[]): Promise<void> {
  const [first, ...others] = inserts.filter((insert) => insert !== undefined)
  if (!first) return
  const beside = others.map((insert, at) => sql`${sql.ref(`beside_${at}`)} AS (${insert})`)
  await sql`${beside.length > 0 ? sql`WITH ${sql.join(beside)} ` : sql``}${first}`.execute(tx)
}

/** Maps a violation of the unique name index to a refusal. Other indexes are the service's concern. */
function taken(error: unknown, kind: string, name: string | undefined): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint?.endsWith('name_key') && name !== undefined
    ? alreadyExists(kind, name)
    : error
}
