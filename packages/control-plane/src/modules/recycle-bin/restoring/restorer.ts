import { restoredName, restoreWords } from '@gantry/api/history/recycle-bin.rules'
import type { RestoreStep } from '@gantry/api/history/recycle-bin'
import { sql } from 'kysely'
import type { Change } from '@gantry/control-plane/change/change'
import type { Row, TrackedName } from '@gantry/control-plane/db/tables'
import { kinds } from '@gantry/control-plane/lookup/kinds'
import { alreadyExists, invalid } from '@gantry/control-plane/context/refusal'

/** One object that is brought back. */
export interface Restoring<Name extends TrackedName, Kept = Record<string, unknown>> {
  tx: Change
  item: Row<'recycled'>
  /** The deleted row, locked. */
  row: Row<Name>
  kept: Kept
  /** What it is called from now on. */
  name: string
  /** Adds what becomes of a part of it. */
  tell: (step: Omit<RestoreStep, 'detail' | 'id'> & Partial<Pick<RestoreStep, 'detail' | 'id'>>) => void
}

/** Brings back an object of one kind with its parts. Refuses what cannot be. */
export interface Restorer {
  table: TrackedName
  restore: (restoring: Restoring<never, never>) => Promise<void>
}

/** Keeps the types of each kind in its own file. */
export const restorer = <Name extends TrackedName, Kept = Record<string, unknown>>(
  table: Name,
  restore: (restoring: Restoring<Name, Kept>) => Promise<void>,
): Restorer => ({ table, restore: restore as unknown as Restorer['restore'] })

/** Names that are tried before a user must choose one. */
const attempts = 20

/**
 * The name under which an object comes back: what the caller asks for, or else its former one. Where that has been
 * taken, a plan proposes another, and a restore refuses.
 */
export async function nameFor(
  tx: Change,
  table: TrackedName,
  row: { name: string },
  { asked, isPlan }: { asked: string | undefined; isPlan: boolean },
): Promise<string> {
  const wanted = asked ?? row.name
  if (!(await isTaken(tx, table, row, wanted))) return wanted
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const proposed = restoredName(row.name, attempt)
    if (await isTaken(tx, table, row, proposed)) continue
    if (isPlan) return proposed
    throw alreadyExists(kinds[table].word, wanted, `Restore it under another name, such as ${proposed}.`)
  }
  throw alreadyExists(kinds[table].word, wanted)
}

async function isTaken(tx: Change, table: TrackedName, row: object, name: string): Promise<boolean> {
  const { parent, orProject } = kinds[table]
  const columns = orProject ? ['silo_id', 'project_id'] : parent === 'fleet' ? [] : [`${parent}_id`]
  const within = columns.map(
    (column) =>
      sql`${sql.ref(column)} IS NOT DISTINCT FROM ${(row as Record<string, unknown>)[column]}::uuid`,
  )
  const { rows } = await sql`SELECT FROM ${sql.table(table)} WHERE time_deleted IS NULL AND name = ${name}
    AND ${sql.join(within, sql` AND `)} LIMIT 1`.execute(tx.plain)
  return rows.length > 0
}

/** Refuses if the parent is gone, or in the bin itself. */
export async function holdParent(tx: Change, table: 'project' | 'vpc', id: string): Promise<void> {
  const row = await tx.read
    .selectFrom(table)
    .select(['name', 'time_deleted'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  const noun = kinds[table].noun
  if (!row) throw invalid(`its ${noun} is gone`, 'It cannot be restored.')
  if (row.time_deleted) throw invalid(`its ${noun} ${row.name} was deleted`, `Restore the ${noun} first.`)
}

export const deleted = { outcome: 'lost', detail: restoreWords.deleted } as const
