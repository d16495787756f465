import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Reader } from '../../kernel/cx.ts'
import { parseIpv4 } from './ip.ts'

/** An address with those of its ports that one use takes. */
export type Stretch = Pick<Row<'external_ip'>, 'ip_int' | 'first_port' | 'last_port'>

const portCount = 65_536
/** Four instances share an address when they only reach out (control plane reference, B 15.3). */
const snatPortCount = portCount / 4

/**
 * All ports of all addresses are one line, `address * 65536 + port`, and each use takes a stretch of it. A SNAT
 * use leaves the rest of its address to others of its kind; every other use wants a whole address.
 */
const lineOfPorts = {
  begin: sql`ip_int * 65536 + first_port`,
  end: sql`ip_int * 65536 + last_port + 1`,
}
const lineOfAddresses = { begin: sql`ip_int * 65536`, end: sql`ip_int * 65536 + 65536` }

/** The lowest address of the pool that nothing uses. Call it with the pool's row locked. */
export async function lowestFreeAddress(db: Reader, poolId: string): Promise<Stretch | undefined> {
  const place = await lowestFree(db, poolId, lineOfAddresses)
  return place === undefined ? undefined : stretchAt(place, portCount)
}

/** A certain address of the pool, whole, if it lies in a range and nothing uses it. Call it with the pool's row locked. */
export async function freeStretchAt(db: Reader, poolId: string, ip: string): Promise<Stretch | undefined> {
  const ip_int = parseIpv4(ip)
  if (ip_int === undefined) return undefined
  const { rows } = await sql<{ free: boolean }>`
    SELECT EXISTS (SELECT 1 FROM ip_pool_range
      WHERE ip_pool_id = ${poolId} AND first_int <= ${ip_int} AND last_int >= ${ip_int})
    AND NOT EXISTS (SELECT 1 FROM external_ip
      WHERE ip_pool_id = ${poolId} AND ip_int = ${ip_int} AND time_deleted IS NULL) AS free`.execute(db)
  return rows[0]?.free ? stretchAt(ip_int * portCount, portCount) : undefined
}

/** The lowest quarter of an address's ports that is free for SNAT. Call it with the pool's row locked. */
export async function lowestFreePorts(db: Reader, poolId: string): Promise<Stretch | undefined> {
  const place = await lowestFree(db, poolId, lineOfPorts)
  return place === undefined ? undefined : stretchAt(place, snatPortCount)
}

function stretchAt(place: number, ports: number): Stretch {
  const first_port = place % portCount
  return { ip_int: (place - first_port) / portCount, first_port, last_port: first_port + ports - 1 }
}

async function lowestFree(db: Reader, poolId: string, line: Line): Promise<number | undefined> {
  const ranges = await db
    .selectFrom('ip_pool_range')
    .select(['first_int', 'last_int'])
    .where('ip_pool_id', '=', poolId)
    .orderBy('first_int')
    .execute()
  for (const range of ranges) {
    const place = await lowestFreeIn(db, poolId, range, line)
    if (place !== null) return place
  }
  return undefined
}

interface Line {
  begin: RawBuilder<unknown>
  end: RawBuilder<unknown>
}

/**
 * The range's start when nothing begins there, else the first end of a use where no other begins. One walk along
 * the index that ends at the first gap: it costs what is in use, not what the range holds.
 */
async function lowestFreeIn(
  db: Reader,
  poolId: string,
  range: Pick<Row<'ip_pool_range'>, 'first_int' | 'last_int'>,
  { begin, end }: Line,
): Promise<number | null> {
  const start = range.first_int * portCount
  const limit = (range.last_int + 1) * portCount
  const used = sql`ip_pool_id = ${poolId} AND time_deleted IS NULL
    AND ip_int >= ${range.first_int} AND ip_int <= ${range.last_int}`
  const { rows } = await sql<{ place: number | null }>`
    SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM external_ip WHERE ${used} AND ip_int = ${range.first_int} AND ${begin} = ${start})
      THEN ${start} ELSE (
        SELECT ends FROM (
          SELECT ip_int, first_port, ${end} AS ends, lead(${begin}) OVER (ORDER BY ip_int, first_port) AS next
          FROM external_ip WHERE ${used}
        ) taken
        WHERE ends < ${limit} AND (next IS NULL OR next > ends)
        ORDER BY ip_int, first_port LIMIT 1
      ) END AS place`.execute(db)
  return rows[0]?.place ?? null
}
