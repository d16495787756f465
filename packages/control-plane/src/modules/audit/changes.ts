import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { objectOfOperation } from '../../change/object-of.ts'
import type { ReadChange } from './views.ts'

interface Found {
  request_id: string
  count: number
  changes: ReadChange[]
}

interface Wanted {
  /** The maximum of changes per request. */
  perRequest: number
  isWhole: boolean
  /** Only changes in this silo. */
  silo_id: string | undefined
}

/**
 * The changes of requests, in one query: the first ones of each, and their number. The object of the operation comes
 * first, and the parts that changed with it follow in order: a deletion begins with the parts.
 */
export async function changesOf(
  cx: Cx,
  records: readonly Pick<Row<'audit'>, 'request_id' | 'operation_id'>[],
  { perRequest, isWhole, silo_id }: Wanted,
): Promise<Map<string, Pick<Found, 'count' | 'changes'>>> {
  const inSilo = silo_id === undefined ? sql`` : sql`AND c.silo_id = ${silo_id}`
  const contents = isWhole ? sql`c.before, c.after` : sql`NULL::jsonb AS before, NULL::jsonb AS after`
  const requests = [...new Map(records.map((record) => [record.request_id, record])).values()].map(
    ({ request_id, operation_id }) => ({ request_id, ...objectOfOperation(operation_id) }),
  )
  const { rows } = await sql<ReadChange & { request_id: string; count: number }>`
    SELECT asked.request_id, found.*, project.name AS project_name, silo.name AS silo_name
    FROM unnest(${requests.map(({ request_id }) => request_id)}::text[],
      ${requests.map(({ kind }) => kind ?? null)}::text[],
      ${requests.map(({ op }) => op ?? null)}::text[]) asked (request_id, kind, op)
    CROSS JOIN LATERAL (
      SELECT c.kind, c.op, c.object_id, c.name, c.silo_id, c.project_id, c.actor, ${contents},
        c.time, c.transaction_id, c.position, count(*) OVER ()::int AS count,
        CASE WHEN c.kind <> asked.kind THEN 2 WHEN c.op <> asked.op THEN 1 ELSE 0 END AS rank
      FROM change c WHERE c.request_id = asked.request_id ${inSilo}
        -- It follows the deletion of the object itself.
        AND c.kind <> 'recycled-item'
      ORDER BY rank, c.time, c.transaction_id, c.position LIMIT ${perRequest}
    ) found
    LEFT JOIN project ON project.id = found.project_id
    LEFT JOIN silo ON silo.id = found.silo_id
    ORDER BY found.rank, found.time, found.transaction_id, found.position`.execute(cx.db)
  const byRequest = new Map<string, Pick<Found, 'count' | 'changes'>>()
  for (const row of rows) {
    const { count, changes } = byRequest.get(row.request_id) ?? { count: row.count, changes: [] }
    byRequest.set(row.request_id, { count, changes: [...changes, row] })
  }
  return byRequest
}
