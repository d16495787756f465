import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Reader } from '../../kernel/cx.ts'

export interface NumberRange {
  first: number
  last: number
}

/** What a choice is made from: two places among the numbers in use. */
interface Used {
  /** The lowest free number that is directly below one in use. */
  below: number | null
  highest: number | null
}

/** Offsets 0 to 4 and the broadcast address belong to the subnet itself (control plane reference, B 10.3). */
export const usableAddresses = (
  subnet: Pick<Row<'vpc_subnet'>, 'ipv4_first' | 'ipv4_last'>,
): NumberRange => ({
  first: subnet.ipv4_first + 5,
  last: subnet.ipv4_last - 1,
})

/** `A8:40:25:F0:00:00` to `A8:40:25:FE:FF:FF`; each VPC counts for itself. */
export const allVpcMacs: NumberRange = { first: 0xa8_40_25_f0_00_00, last: 0xa8_40_25_fe_ff_ff }

/**
 * Just below one in use, else just above: plain use counts upward and fills gaps first, an explicit choice is
 * counted down from (control plane reference, B 14.2). When nothing is free below any, they are in use from the
 * first one on without a gap, so that only the one above the highest is left.
 */
export function chooseNext({ below, highest }: Used, range: NumberRange): number | undefined {
  if (highest === null) return range.first
  if (below !== null) return below
  return highest < range.last ? highest + 1 : undefined
}

type Scope = { column: 'ip_int'; subnet_id: string } | { column: 'mac_int'; vpc_id: string }

/** One walk along the index, which ends at the first gap; it costs what is in use, not what the range holds. */
export async function usedNumbers(db: Reader, scope: Scope, { first, last }: NumberRange): Promise<Used> {
  const column = sql.ref(scope.column)
  const inScope =
    scope.column === 'ip_int' ? sql`subnet_id = ${scope.subnet_id}` : sql`vpc_id = ${scope.vpc_id}`
  const live = sql`${inScope} AND time_deleted IS NULL AND ${column} >= ${first} AND ${column} <= ${last}`
  const { rows } = await sql<Used>`
    SELECT (
      SELECT number - 1 FROM (
        SELECT ${column} AS number, lag(${column}) OVER (ORDER BY ${column}) AS before
        FROM network_interface WHERE ${live}
      ) used
      WHERE number > ${first} AND (before IS NULL OR before < number - 1)
      ORDER BY number LIMIT 1
    ) AS below, (SELECT max(${column}) FROM network_interface WHERE ${live}) AS highest`.execute(db)
  return rows[0] ?? { below: null, highest: null }
}
