import { deletionLimits } from '@gantry/api/history/deletion.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { StoredProtection } from '../../db/tables/column-types.ts'
import type { Branch } from './branches.ts'
import type { Root } from './root.ts'

const { names, rowsOfKind } = deletionLimits

interface Named {
  id: string
  name: string
}

/** What a plan knows of a branch. */
export interface Total {
  count: number
  storage: number
  memory: number
  concerned: number
  /** Differs when the objects are others, or are in another state as far as it matters. */
  mark: string
  first: Named[]
}

/** What keeps objects of a branch from being deleted. */
export interface Stuck {
  key: string
  cause: 'protected' | 'state'
  count: number
  first: (Named & {
    state: string | null
    protection: StoredProtection | null
    by: string | null
    by_silo_id: string | null
  })[]
}

const nameOf = ({ name }: Branch): RawBuilder<unknown> => name ?? sql`t.name`

/** Reads every branch in one statement; each counts a limited number of rows and lists the first names. */
export async function totalsOf(
  db: Reader,
  root: Root,
  branches: readonly Branch[],
): Promise<ReadonlyMap<string, Total>> {
  const each = branches.map((branch) => {
    const { key, from, where, storage, memory, concerned } = branch
    const none = sql`0`
    const first = branch.hasSecretNames
      ? sql`NULL`
      : sql`(SELECT json_agg(f) FROM (SELECT t.id, ${nameOf(branch)} AS name FROM ${from} WHERE ${where(root)}
          ORDER BY 2, 1 LIMIT ${names}) f)`
    return sql`SELECT ${key}::text AS key, x.*, coalesce(${first}, '[]'::json) AS first FROM (
      SELECT count(*)::int AS count, coalesce(sum(r.storage), 0)::int8 AS storage, coalesce(sum(r.memory), 0)::int8 AS memory,
        count(*) FILTER (WHERE r.concerned)::int AS concerned,
        coalesce(sum(hashtextextended(r.id::text || r.concerned::text, 0)::numeric), 0)::text AS mark
      FROM (SELECT t.id, ${storage ?? none} AS storage, ${memory ?? none} AS memory,
          ${concerned ? sql`(${concerned})` : sql`false`} AS concerned
        FROM ${from} WHERE ${where(root)} LIMIT ${rowsOfKind + 1}) r) x`
  })
  const { rows } = await sql<Total & { key: string }>`${sql.join(each, sql` UNION ALL `)}`.execute(db)
  return new Map(rows.map(({ key, ...total }) => [key, total]))
}

/** Reads in one statement what is protected, and what cannot be deleted in its state. */
export async function stuckOf(db: Reader, root: Root, branches: readonly Branch[]): Promise<Stuck[]> {
  const each = branches.flatMap((branch) => [
    ...(branch.isProtectable ? [protectedRows(branch, root)] : []),
    ...(branch.stuck ? [stuckRows(branch, branch.stuck, root)] : []),
  ])
  if (each.length === 0) return []
  const { rows } = await sql<Stuck>`SELECT * FROM (${sql.join(each, sql` UNION ALL `)}) s
    WHERE s.count > 0`.execute(db)
  return rows
}

/** An instance that runs must also be stopped. */
const refusesProtection = ({ kind, concerned }: Branch): RawBuilder<unknown> =>
  kind === 'instance'
    ? sql`((t.protection->>'no_delete')::bool OR (${concerned} AND (t.protection->>'no_stop')::bool))`
    : sql`(t.protection->>'no_delete')::bool`

const protectedRows = (branch: Branch, root: Root) => {
  const rows = sql`${branch.from} WHERE ${branch.where(root)} AND t.protection IS NOT NULL
    AND ${refusesProtection(branch)}`
  return sql`SELECT ${branch.key}::text AS key, 'protected' AS cause, (SELECT count(*)::int FROM ${rows}) AS count,
    (SELECT json_agg(f) FROM (
      SELECT r.id, r.name, NULL AS state, r.protection, u.external_id AS by, u.silo_id AS by_silo_id
      FROM (SELECT t.id, t.name, t.protection FROM ${rows} ORDER BY t.name, t.id LIMIT ${names}) r
      LEFT JOIN silo_user u ON u.id = (r.protection->>'user_id')::uuid ORDER BY r.name, r.id) f) AS first`
}

const stuckRows = (branch: Branch, { where, state }: NonNullable<Branch['stuck']>, root: Root) => {
  const rows = sql`${branch.from} WHERE ${branch.where(root)} AND ${where}`
  return sql`SELECT ${branch.key}::text AS key, 'state' AS cause, (SELECT count(*)::int FROM ${rows}) AS count,
    (SELECT json_agg(f) FROM (
      SELECT t.id, t.name, ${state} AS state, NULL AS protection, NULL AS by, NULL AS by_silo_id FROM ${rows}
      ORDER BY t.name, t.id LIMIT ${names}) f) AS first`
}
