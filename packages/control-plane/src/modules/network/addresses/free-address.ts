import type { IpAddress } from '@gantry/api/base/ip.rules'
import { addressKey } from '@gantry/api/network/ip-pool.rules'
import { sql } from 'kysely'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Reader } from '@gantry/control-plane/db/database'
import type { Change } from '@gantry/control-plane/change/change'
import { insufficient, type Refusal } from '@gantry/control-plane/context/refusal'
import { isFarBehind } from './choose-address.ts'
import { firstWalk, type Gap, nextWalk, walkText } from './gaps.ts'
import { releaseIpv6, takeIpv6, thisIpv6 } from './free-ipv6.ts'
import { type Ipv6Range, type LockedPool, lockPool, poolOfPorts, type PoolRange } from './pools.ts'
import { ipv4Stretch, portCount, type Stretch } from './stretch.ts'

const lastAddress = 0xff_ff_ff_ff
/** Four instances share an address for SNAT (control plane reference, B 15.3). */
const snatPortCount = portCount / 4

/**
 * All ports of all addresses form one number line, `address * 65536 + port`, and each use occupies a stretch
 * of it. A SNAT use leaves the rest of its address to other SNAT uses; every other use needs a whole address.
 */
interface Line {
  begin: ReturnType<typeof sql>
  end: ReturnType<typeof sql>
}
const lineOfPorts: Line = {
  begin: sql`ip_int * 65536 + first_port`,
  end: sql`ip_int * 65536 + last_port + 1`,
}
const lineOfAddresses: Line = { begin: sql`ip_int * 65536`, end: sql`ip_int * 65536 + 65536` }

/**
 * Free ports listed ahead of their use, so that creations in different projects need not wait for each other:
 * each takes one of the table `ip_pool_free_port` that no other holds locked. A range's free ports below its
 * `free_ports_from` are all listed. A search that finds none lists more, with the pool locked, up to the end of an
 * address: the next list, if it began inside one, would miss a use of the whole address.
 */
const listedAtOnce = 64

/** Takes the lowest listed quarter of an address's ports that no other change holds, of the silo's default pool. */
export async function takePorts(tx: Change, siloId: string): Promise<Stretch & { ip_pool_id: string }> {
  const listed = await takeListed(tx, siloId)
  if (listed) return listed
  await lockPool(tx, siloId, poolOfPorts)
  // Another change may have listed some before it gave up the lock.
  const late = await takeListed(tx, siloId)
  if (late) return late
  // Read again, because a range may have been added while the lock was awaited.
  const pool = await lockPool(tx, siloId, poolOfPorts)
  const found = (await listMore(tx, pool)) ?? (await takeAwaited(tx, siloId))
  if (!found) throw exhausted(pool)
  return found
}

/** Takes the lowest listed ports; those that other changes are about to take do not count. */
const takeListed = (tx: Change, siloId: string) => takeFirst(tx, siloId, sql`SKIP LOCKED`)

/** The last ports may be given back by a change that fails. */
const takeAwaited = (tx: Change, siloId: string) => takeFirst(tx, siloId, sql``)

async function takeFirst(tx: Change, siloId: string, waiting: ReturnType<typeof sql>) {
  const { rows } = await sql<Row<'ip_pool_free_port'>>`
    WITH first AS MATERIALIZED (
      SELECT ip_pool_id, position FROM ip_pool_free_port
      WHERE ip_pool_id = (SELECT pool.id FROM ip_pool_silo link
        JOIN ip_pool pool ON pool.id = link.ip_pool_id AND pool.time_deleted IS NULL
        WHERE link.silo_id = ${siloId} AND link.is_default AND link.pool_type = 'unicast'
          AND link.ip_version = 'v4')
      ORDER BY position LIMIT 1 FOR UPDATE ${waiting})
    DELETE FROM ip_pool_free_port free USING first
    WHERE free.ip_pool_id = first.ip_pool_id AND free.position = first.position
    RETURNING free.ip_pool_id, free.position`.execute(tx.plain)
  const [row] = rows
  return row && { ...stretchAt(row.position, snatPortCount), ip_pool_id: row.ip_pool_id }
}

/** Lists the next free ports of the pool, except the first, which it returns. */
async function listMore(tx: Change, pool: LockedPool) {
  for (const range of pool.ranges) {
    const part = partOf(range, range.free_ports_from)
    const { positions, until } = await firstFree(tx.read, pool.id, part)
    const [first, ...others] = positions
    if (until > range.free_ports_from) await keepStart(tx, range, { free_ports_from: until })
    if (first === undefined) continue
    await list(tx, pool.id, others)
    return { ...stretchAt(first, snatPortCount), ip_pool_id: pool.id }
  }
  return undefined
}

/** The next free ports, with all of the last one's address. */
async function firstFree(
  db: Reader,
  poolId: string,
  part: Gap,
): Promise<{ positions: number[]; until: number }> {
  const positions: number[] = []
  let { until } = part
  for await (const gap of gapsIn(db, poolId, part, lineOfPorts))
    for (let position = gap.first; position < gap.until; position += snatPortCount) {
      if (position >= until) return { positions, until }
      if (positions.push(position) === listedAtOnce) until = position - (position % portCount) + portCount
    }
  return { positions, until }
}

async function list(tx: Change, ip_pool_id: string, positions: readonly number[]): Promise<void> {
  if (positions.length === 0) return
  await tx.plain
    .insertInto('ip_pool_free_port')
    .values(positions.map((position) => ({ ip_pool_id, position })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes the lowest address of the pool, of its IP version, that is wholly unused. */
export async function takeAddress(tx: Change, pool: LockedPool): Promise<Stretch> {
  if (pool.ip_version === 'v6') {
    const taken = await takeIpv6(tx, pool)
    if (!taken) throw exhausted(pool)
    return taken
  }
  for (const range of pool.ranges) {
    const part = partOf(range, range.free_addresses_from)
    let lowest: number | undefined
    for await (const gap of gapsIn(tx.read, pool.id, part, lineOfAddresses))
      for (let position = gap.first; position < gap.until; position += portCount) {
        lowest ??= position
        if (!(await unlist(tx, range, pool.id, position))) continue
        await keepAddressStart(tx, range, part, lowest + (position === lowest ? portCount : 0))
        return stretchAt(position, portCount)
      }
    await keepAddressStart(tx, range, part, lowest ?? part.until)
  }
  throw exhausted(pool)
}

/** Takes one address of the pool, whole, if it is in a range and unused. */
export async function takeThisAddress(
  tx: Change,
  pool: LockedPool,
  ip: IpAddress,
): Promise<Stretch | undefined> {
  const key = addressKey(ip)
  const holds = ({ first_key, last_key }: PoolRange | Ipv6Range) => first_key <= key && key <= last_key
  const isUsed = async () => {
    const used = tx.read.selectFrom('external_ip').select('id').where('ip_pool_id', '=', pool.id)
    const [one] = await used.where('ip_key', '=', key).where('time_deleted', 'is', null).limit(1).execute()
    return one !== undefined
  }
  if (ip.version === 6) {
    const range = pool.ipv6Ranges.find(holds)
    return range && !(await isUsed()) ? thisIpv6(range, ip) : undefined
  }
  const range = pool.ranges.find(holds)
  const position = Number(ip.value) * portCount
  return range && !(await isUsed()) && (await unlist(tx, range, pool.id, position))
    ? stretchAt(position, portCount)
    : undefined
}

/**
 * Removes the ports of an address from the list; false if another change is about to take some. Requires a lock
 * on the pool, which keeps those from being listed that are not.
 */
async function unlist(tx: Change, range: PoolRange, poolId: string, position: number): Promise<boolean> {
  if (position >= range.free_ports_from) return true
  const quarters = [0, 1, 2, 3].map((quarter) => position + quarter * snatPortCount)
  const { rows } = await sql`
    WITH held AS MATERIALIZED (
      SELECT position FROM ip_pool_free_port
      WHERE ip_pool_id = ${poolId} AND position IN (${sql.join(quarters)}) FOR UPDATE SKIP LOCKED)
    DELETE FROM ip_pool_free_port free USING held
    WHERE free.ip_pool_id = ${poolId} AND free.position = held.position
      AND (SELECT count(*) FROM held) = ${quarters.length}
    RETURNING free.position`.execute(tx.plain)
  return rows.length > 0
}

/** Waits until no change is about to take ports of the pool, and keeps others from it until the transaction ends. */
export const holdListed = (tx: Change, poolId: string): Promise<unknown> =>
  tx.plain
    .selectFrom('ip_pool_free_port')
    .select('position')
    .where('ip_pool_id', '=', poolId)
    .forUpdate()
    .execute()

/** Removes the ports of a range from the list, after changes that are about to take some. */
export async function forgetListed(
  tx: Change,
  { ip_pool_id, first_int, last_int }: Pick<Row<'ip_pool_range'>, 'ip_pool_id' | 'first_int' | 'last_int'>,
): Promise<void> {
  if (first_int === null || last_int === null) return
  await tx.plain
    .deleteFrom('ip_pool_free_port')
    .where('ip_pool_id', '=', ip_pool_id)
    .where('position', '>=', first_int * portCount)
    .where('position', '<', (last_int + 1) * portCount)
    .execute()
}

/**
 * Forgets the lists above a new range, so that its ports are taken first, also before those released above it later.
 * The ends are reset before the ports are removed: a release holds its range while it lists ports below the end.
 */
export async function forgetAbove(
  tx: Change,
  { ip_pool_id, first_int }: Pick<Row<'ip_pool_range'>, 'ip_pool_id' | 'first_int'>,
): Promise<void> {
  if (first_int === null) return
  await tx.plain
    .updateTable('ip_pool_range')
    .set({ free_ports_from: 0 })
    .where('ip_pool_id', '=', ip_pool_id)
    .where('first_int', '>', first_int)
    .execute()
  await forgetListed(tx, { ip_pool_id, first_int, last_int: lastAddress })
}

/**
 * Makes what was freed available: the search for addresses starts there, and ports below the end of the list
 * are listed again, except those of another use: databases of older versions have ports that two uses share.
 * Waits for a concurrent search, which cannot see the release yet.
 */
export async function release(tx: Change, freed: Row<'external_ip'>): Promise<void> {
  if (freed.ip_int === null) return releaseIpv6(tx, freed)
  const address = freed.ip_int * portCount
  await sql`
    WITH range AS (
      UPDATE ip_pool_range SET free_addresses_from = least(free_addresses_from, ${address}::int8)
      WHERE ip_pool_id = ${freed.ip_pool_id} AND first_int <= ${freed.ip_int} AND last_int >= ${freed.ip_int}
      RETURNING ip_pool_id, free_ports_from)
    INSERT INTO ip_pool_free_port (ip_pool_id, position)
    SELECT range.ip_pool_id, quarter FROM range, generate_series(${address + freed.first_port}::int8,
      ${address + freed.last_port}::int8, ${snatPortCount}::int8) quarter
    WHERE quarter < range.free_ports_from AND NOT EXISTS (
      SELECT FROM external_ip other WHERE other.ip_pool_id = ${freed.ip_pool_id} AND other.ip_int = ${freed.ip_int}
        AND other.time_deleted IS NULL AND quarter BETWEEN ${address}::int8 + other.first_port
        AND ${address}::int8 + other.last_port)
    ON CONFLICT DO NOTHING`.execute(tx.plain)
}

const exhausted = (pool: LockedPool): Refusal =>
  insufficient('No external IP addresses available', {
    help: 'Release unused addresses, or ask an operator to add a range to the pool.',
    details: { ip_pool_id: pool.id, ip_pool: pool.name },
  })

function stretchAt(position: number, ports: number): Stretch {
  const first_port = position % portCount
  const ip_int = (position - first_port) / portCount
  return ipv4Stretch(ip_int, { first_port, last_port: first_port + ports - 1 })
}

/** The part of a range that is searched. */
const partOf = ({ first_int, last_int }: PoolRange, from: number): Gap => ({
  first: Math.max(first_int * portCount, from),
  until: (last_int + 1) * portCount,
})

/** The unused parts of a stretch, ascending; no use spans its start. */
async function* gapsIn(
  db: Reader,
  poolId: string,
  { first, until }: Gap,
  { begin, end }: Line,
): AsyncGenerator<Gap> {
  let start = first
  for (let walk = firstWalk; start < until; walk = nextWalk(walk)) {
    const port = start % portCount
    const uses = {
      begin,
      end,
      from: sql`external_ip WHERE ip_pool_id = ${poolId} AND time_deleted IS NULL
        AND (ip_int, first_port) >= (${(start - port) / portCount}, ${port}) AND ip_int < ${until / portCount}`,
      order: sql`ip_int, first_port`,
    }
    const { rows } = await walkText(0, uses, { start, walk, gaps: listedAtOnce + 1 }).execute(db)
    const last = rows.at(-1)
    if (!last) return
    for (const gap of rows) if (gap.until !== null) yield { first: gap.first, until: gap.until }
    if (last.until === null && last.walked < walk) {
      if (last.first < until) yield { first: last.first, until }
      return
    }
    start = last.until ?? last.first
  }
}

/** Advances the search start for whole addresses; written rarely, because it need only be close. */
async function keepAddressStart(
  tx: Change,
  range: PoolRange,
  { first, until }: Gap,
  from: number,
): Promise<void> {
  if (first < until && (from === until || isFarBehind(from, first, portCount)))
    await keepStart(tx, range, { free_addresses_from: from })
}

const keepStart = (
  tx: Change,
  { id }: PoolRange,
  start: Partial<Pick<PoolRange, 'free_addresses_from' | 'free_ports_from'>>,
): Promise<unknown> => tx.plain.updateTable('ip_pool_range').set(start).where('id', '=', id).execute()
