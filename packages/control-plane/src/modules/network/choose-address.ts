import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Reader } from '../../db/database.ts'

export interface NumberRange {
  first: number
  last: number
}

/** The input of a choice: two positions among the numbers in use. */
interface Used {
  /** The lowest free numbers with one in use above them. */
  gap: NumberRange | null
  highest: number | null
}

export interface Choice {
  number: number
  /** Once the number is taken, everything below this one is in use. */
  freeFrom: number
}

/** Offsets 0 to 4 and the broadcast address are reserved by the subnet (control plane reference, B 10.3). */
export const usableAddresses = (
  subnet: Pick<Row<'vpc_subnet'>, 'ipv4_first' | 'ipv4_last'>,
): NumberRange => ({
  first: subnet.ipv4_first + 5,
  last: subnet.ipv4_last - 1,
})

/** `A8:40:25:F0:00:00` to `A8:40:25:FE:FF:FF`, separately for each VPC. */
export const allVpcMacs: NumberRange = { first: 0xa8_40_25_f0_00_00, last: 0xa8_40_25_fe_ff_ff }

/** The part of a range to search. */
export const searched = ({ first, last }: NumberRange, freeFrom: number): NumberRange => ({
  first: Math.max(first, freeFrom),
  last,
})

/**
 * Just below one in use, else just above: sequential use counts upward and fills gaps first, and after an
 * explicit choice it counts down (control plane reference, B 14.2). Everything below the range is in use;
 * without a gap, so is everything up to the highest.
 */
export function chooseNext({ gap, highest }: Used, { first, last }: NumberRange): Choice | undefined {
  if (gap) return { number: gap.last, freeFrom: gap.first < gap.last ? gap.first : gap.last + 1 }
  const number = highest === null ? first : highest + 1
  return number <= last ? { number, freeFrom: number + 1 } : undefined
}

interface Search {
  scope: { column: 'ip_int'; subnet_id: string } | { column: 'mac_int'; vpc_id: string }
  range: NumberRange
}

/**
 * Chooses one number per scope; undefined where nothing is free. Walks the index from the start of the range
 * to the first gap.
 */
export async function chooseNumbers(
  db: Reader,
  searches: readonly Search[],
): Promise<(Choice | undefined)[]> {
  const { rows } = await sql<{
    index: number
    first: number | null
    last: number | null
    highest: number | null
  }>`${sql.join(searches.map(usedNumbers), sql` UNION ALL `)}`.execute(db)
  return searches.map(({ range }, at) => {
    const { first = null, last = null, highest = null } = rows.find(({ index }) => index === at) ?? {}
    return chooseNext({ gap: first === null || last === null ? null : { first, last }, highest }, range)
  })
}

function usedNumbers({ scope, range: { first, last } }: Search, index: number): RawBuilder<unknown> {
  const column = sql.ref(scope.column)
  const inScope =
    scope.column === 'ip_int' ? sql`subnet_id = ${scope.subnet_id}` : sql`vpc_id = ${scope.vpc_id}`
  const live = sql`${inScope} AND time_deleted IS NULL AND ${column} >= ${first} AND ${column} <= ${last}`
  return sql`
    SELECT ${sql.lit(index)} AS index, gap.first, gap.last, top.highest
    FROM (SELECT max(${column}) AS highest FROM network_interface WHERE ${live}) top
    LEFT JOIN LATERAL (
      SELECT coalesce(before + 1, ${first}::int8) AS first, number - 1 AS last FROM (
        SELECT ${column} AS number, lag(${column}) OVER (ORDER BY ${column}) AS before
        FROM network_interface WHERE ${live}
      ) used
      WHERE number > ${first} AND (before IS NULL OR before < number - 1)
      ORDER BY number LIMIT 1
    ) gap ON true`
}

/** Walking this many entries is cheaper than writing a new search start. */
const worthWriting = 64

/** Whether the stored search start is far enough behind to be updated. */
export const isFarBehind = (freeFrom: number, kept: number, unit = 1): boolean =>
  freeFrom - kept > worthWriting * unit
