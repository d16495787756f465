import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../kernel/change.ts'
import type { Reader } from '../../kernel/cx.ts'
import { isFarBehind } from './choose-address.ts'
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

/** The lowest address of the pool that nothing uses. Call it with the pool's row locked. */
export async function lowestFreeAddress(tx: Change, poolId: string): Promise<Stretch | undefined> {
  const place = await lowestFree(tx, poolId, lineOfAddresses)
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
export async function lowestFreePorts(tx: Change, poolId: string): Promise<Stretch | undefined> {
  const place = await lowestFree(tx, poolId, lineOfPorts)
  return place === undefined ? undefined : stretchAt(place, snatPortCount)
}

function stretchAt(place: number, ports: number): Stretch {
  const first_port = place % portCount
  return { ip_int: (place - first_port) / portCount, first_port, last_port: first_port + ports - 1 }
}

interface Line {
  /** The column of a range that says below which place of this line nothing is free. */
  kept: 'free_ports_from' | 'free_addresses_from'
  /** Ports of one use. */
  unit: number
  begin: RawBuilder<unknown>
  end: RawBuilder<unknown>
}

/** Ranges are locked, so that whoever frees an address waits until the search has written how far it came. */
async function lowestFree(tx: Change, poolId: string, line: Line): Promise<number | undefined> {
  const ranges = await tx.plain
    .selectFrom('ip_pool_range')
    .select(['id', 'first_int', 'last_int', `${line.kept} as kept`])
    .where('ip_pool_id', '=', poolId)
    .orderBy('first_int')
    .forUpdate()
    .execute()
  for (const range of ranges) {
    const start = Math.max(range.first_int * portCount, range.kept)
    const limit = (range.last_int + 1) * portCount
    if (start >= limit) continue
    const place = await lowestFreeIn(tx.read, poolId, { start, limit }, line)
    const freeFrom = place === null ? limit : place + line.unit
    if (place === null || isFarBehind(freeFrom, start, line.unit))
      await tx.plain
        .updateTable('ip_pool_range')
        .set({ [line.kept]: freeFrom })
        .where('id', '=', range.id)
        .execute()
    if (place !== null) return place
  }
  return undefined
}

/** Searches find what was freed: they begin there again. */
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
 * The start when nothing begins there, else the first end of a use where no other begins. One walk along the index
 * that ends at the first gap; no use begins before the start and ends behind it.
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
  const { rows } = await sql<{ place: number | null }>`
    SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM external_ip WHERE ${used} AND ip_int = ${ip} AND ${begin} = ${start})
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
