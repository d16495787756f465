import type { Row, TrackedName } from '../db/tables.ts'
import type { Change } from './change.ts'

/** The live rows of a parent, locked until the transaction ends. */
export async function liveRows<Name extends TrackedName>(
  tx: Change,
  table: Name,
  column: keyof Row<Name> & string,
  parentId: string,
): Promise<Row<Name>[]> {
  // The query builder cannot type a generic table; the caller's types guarantee the column.
  const rows = await tx.read
    .selectFrom(table as 'vpc_subnet')
    .selectAll()
    .where(column as 'vpc_id', '=', parentId)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows as unknown as Row<Name>[]
}

export async function removeAll<Name extends TrackedName>(
  tx: Change,
  table: Name,
  column: keyof Row<Name> & string,
  parentId: string,
): Promise<void> {
  await tx.removeAll(table, await liveRows(tx, table, column, parentId))
}

export async function anyLive<Name extends TrackedName>(
  tx: Change,
  table: Name,
  column: keyof Row<Name> & string,
  parentId: string,
): Promise<boolean> {
  const row = await tx.read
    .selectFrom(table as 'vpc_subnet')
    .select('id')
    .where(column as 'vpc_id', '=', parentId)
    .where('time_deleted', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
