import { type RawBuilder, sql } from 'kysely'
import { type KindName, kinds } from './kinds.ts'

type Sql = RawBuilder<unknown>

/** The rows of a table as alias `t0`, joined with their parents up to the silo or the project. */
interface Ancestry {
  /** Behind FROM. */
  from: Sql
  /** Neither they nor any parent are deleted. */
  exists: Sql
  /** What people call them; of a sled, its serial number. */
  name: Sql
  /** Null for what belongs to none. */
  silo_id: Sql
  project_id: Sql
}

export function ancestryOf(table: KindName): Ancestry {
  const path: KindName[] = [table]
  for (;;) {
    const { parent } = kinds[path.at(-1) ?? table]
    if (parent === 'fleet' || parent === 'silo' || parent === 'silo_user') break
    path.push(parent)
  }
  const at = (depth: number) => sql.ref(`t${depth}`)
  const column = (depth: number, name: string) => sql.ref(`t${depth}.${name}`)
  const last = path.length - 1
  const root = path[last] ?? table
  const joins = path
    .slice(1)
    .map(
      (above, depth) =>
        sql`JOIN ${sql.table(above)} ${at(depth + 1)} ON ${column(depth + 1, 'id')} = ${column(depth, `${above}_id`)}`,
    )
  const nothing = sql`NULL::uuid`
  return {
    from: sql`${sql.table(table)} t0 ${sql.join(joins, sql` `)}`,
    exists: sql.join(
      path.map((_, depth) => sql`${column(depth, 'time_deleted')} IS NULL`),
      sql` AND `,
    ),
    name: column(0, table === 'sled' ? 'serial' : 'name'),
    silo_id:
      root === 'silo'
        ? column(last, 'id')
        : kinds[root].parent === 'silo'
          ? column(last, 'silo_id')
          : nothing,
    project_id:
      root === 'project' ? column(last, 'id') : kinds[root].orProject ? column(last, 'project_id') : nothing,
  }
}
