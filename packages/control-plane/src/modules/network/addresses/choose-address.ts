import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '@gantry/control-plane/db/database'
import type { Row } from '@gantry/control-plane/db/tables'
import { firstWalk, nextWalk, type WalkRow, walkText } from './gaps.ts'

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
  column: 'mac_int' | 'ip_int' | 'ipv6_offset'
  /** The id of the VPC of MACs, and of the subnet of addresses. */
  of: string
  range: NumberRange
}

/** Chooses one number per scope; undefined where nothing is free. */
export async function chooseNumbers(
  db: Reader,
  searches: readonly Search[],
): Promise<(Choice | undefined)[]> {
  const found: (Used | undefined)[] = searches.map(() => undefined)
  const starts = searches.map(({ range }) => range.first)
  for (let walk = firstWalk; found.includes(undefined); walk = nextWalk(walk)) {
    const open = searches.flatMap((search, at) =>
      found[at] ? [] : [usedNumbers(at, search, { start: starts[at] ?? 0, walk, gaps: 1 })],
    )
    const { rows } = await sql<WalkRow>`${sql.join(open, sql` UNION ALL `)}`.execute(db)
    for (const { index, first, until, walked } of rows) {
      starts[index] = first
      if (until !== null) found[index] = { gap: { first, last: until - 1 }, highest: null }
      else if (walked < walk) found[index] = { gap: null, highest: first - 1 }
    }
  }
  return searches.map(({ range }, at) => chooseNext(found[at] ?? { gap: null, highest: null }, range))
}

function usedNumbers(
  index: number,
  { column: name, of, range }: Search,
  walk: Parameters<typeof walkText>[2],
): RawBuilder<WalkRow> {
  const column = sql.ref(name)
  const inScope = name === 'mac_int' ? sql`vpc_id = ${of}` : sql`subnet_id = ${of}`
  const uses = {
    begin: column,
    end: sql`${column} + 1`,
    from: sql`network_interface WHERE ${inScope} AND time_deleted IS NULL
      AND ${column} >= ${walk.start} AND ${column} <= ${range.last}`,
    order: column,
  }
  return walkText(index, uses, walk)
}

/** Walking this many entries is cheaper than writing a new search start. */
const worthWriting = 64

/** Whether the stored search start is far enough behind to be updated. */
export const isFarBehind = (freeFrom: number, kept: number, unit = 1): boolean =>
  freeFrom - kept > worthWriting * unit
