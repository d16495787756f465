import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../kernel/change.ts'
import type { Reader } from '../../db/database.ts'
import { isFarBehind } from './choose-address.ts'
import { parseIpv4 } from './ip.ts'
import type { LockedPool } from './pools.ts'

/** An address with the ports that one use occupies. */
export type Stretch = Pick<Row<'external_ip'>, 'ip_int' | 'first_port' | 'last_port'>

const portCount = 65_536
/** Four instances share an address for SNAT (control plane reference, B 15.3). */
const snatPortCount = portCount / 4

/**
 * All ports of all addresses form one number line, `address * 65536 + port`, and each use occupies a stretch
 * of it. A SNAT use leaves the rest of its address to other SNAT uses; every other use needs a whole address.
 */
const lineOfPorts: Line = {
  kept: 'free_ports_from',
  unit: snatPortCount,
  begin: sql`ip_int * 65536 + first_port`,
  end: sql`ip_int * 65536 + last_port + 1`,
}
const lineOfAddresses: Line = {
  kept: 'free_addresses_from',
  unit: portCount,
  begin: sql`ip_int * 65536`,
  end: sql`ip_int * 65536 + 65536`,
}

/** The lowest unused address of the pool. */
export async function lowestFreeAddress(tx: Change, pool: LockedPool): Promise<Stretch | undefined> {
  const position = await lowestFree(tx, pool, lineOfAddresses)
  return position === undefined ? undefined : stretchAt(position, portCount)
}

/**
 * One requested address of the pool, whole, if it is in a range and unused. Requires a lock on the pool's
 * row.
 */
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

/** The lowest quarter of an address's ports that is free for SNAT. */
export async function lowestFreePorts(tx: Change, pool: LockedPool): Promise<Stretch | undefined> {
  const position = await lowestFree(tx, pool, lineOfPorts)
  return position === undefined ? undefined : stretchAt(position, snatPortCount)
}

function stretchAt(position: number, ports: number): Stretch {
  const first_port = position % portCount
  return { ip_int: (position - first_port) / portCount, first_port, last_port: first_port + ports - 1 }
}

interface Line {
  /** The column of a range with the position below which nothing is free. */
  kept: 'free_ports_from' | 'free_addresses_from'
  /** Ports per use. */
  unit: number
  begin: RawBuilder<unknown>
  end: RawBuilder<unknown>
}

async function lowestFree(tx: Change, { id, ranges }: LockedPool, line: Line): Promise<number | undefined> {
  for (const range of ranges) {
    const start = Math.max(range.first_int * portCount, range[line.kept])
    const limit = (range.last_int + 1) * portCount
    if (start >= limit) continue
    const position = await lowestFreeIn(tx.read, id, { start, limit }, line)
    const freeFrom = position === null ? limit : position + line.unit
    if (position === null || isFarBehind(freeFrom, start, line.unit))
      await tx.plain
        .updateTable('ip_pool_range')
        .set({ [line.kept]: freeFrom })
        .where('id', '=', range.id)
        .execute()
    if (position !== null) return position
  }
  return undefined
}

/** Moves the search start back to a freed address. */
export async function searchFrom(tx: Change, freed: Row<'external_ip'>): Promise<void> {
  const address = freed.ip_int * portCount
  await tx.plain
    .updateTable('ip_pool_range')
    .set({
      free_addresses_from: sql`least(free_addresses_from, ${address})`,
      free_ports_from: sql`least(free_ports_from, ${address + freed.first_port})`,
    })
    .where('ip_pool_id', '=', freed.ip_pool_id)
    .where('first_int', '<=', freed.ip_int)
    .where('last_int', '>=', freed.ip_int)
    .execute()
}

/**
 * The start if no use begins there, else the first end of a use where no other begins. One index walk to the
 * first gap; no use spans the start.
 */
async function lowestFreeIn(
  db: Reader,
  poolId: string,
  { start, limit }: { start: number; limit: number },
  { begin, end }: Line,
): Promise<number | null> {
  const port = start % portCount
  const ip = (start - port) / portCount
  const used = sql`ip_pool_id = ${poolId} AND time_deleted IS NULL
    AND (ip_int, first_port) >= (${ip}, ${port}) AND ip_int < ${limit / portCount}`
  const { rows } = await sql<{ position: number | null }>`
    SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM external_ip WHERE ${used} AND ip_int = ${ip} AND ${begin} = ${start})
      THEN ${start} ELSE (
        SELECT ends FROM (
          SELECT ip_int, first_port, ${end} AS ends, lead(${begin}) OVER (ORDER BY ip_int, first_port) AS next
          FROM external_ip WHERE ${used}
        ) taken
        WHERE ends < ${limit} AND (next IS NULL OR next > ends)
        ORDER BY ip_int, first_port LIMIT 1
      ) END AS position`.execute(db)
  return rows[0]?.position ?? null
}
