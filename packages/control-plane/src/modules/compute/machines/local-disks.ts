import { sql } from 'kysely'
import { bytesOnPhysicalDisk } from '@gantry/api/storage/disk.rules'
import type { Change } from '@gantry/control-plane/change/change'
import type { Reader } from '@gantry/control-plane/db/database'
import type { LocalNeeds } from '@gantry/control-plane/fleet/placement'
import { dataDiskSize } from '../../hardware/parts.ts'
import { purge } from '../../recycle-bin/purge.ts'

interface LocalDisk {
  content_id: string
  size: number
  /** Null until its instance starts for the first time. */
  sled_id: string | null
}

/** Local disks with their sleds. */
const localDisks = (db: Reader) =>
  db
    .selectFrom('disk')
    .leftJoin('local_volume', 'local_volume.content_id', 'disk.content_id')
    .select(['disk.content_id', 'disk.size', 'local_volume.sled_id'])
    .where('disk.disk_type', '=', 'local')
    .where('disk.time_deleted', 'is', null)
    .orderBy('disk.size', 'desc')
    .orderBy('disk.id')

const localDisksOf = (db: Reader, instanceId: string): Promise<LocalDisk[]> =>
  localDisks(db).where('disk.instance_id', '=', instanceId).execute()

/** Those among the disks with these ids. */
export const localDisksIn = (db: Reader, ids: readonly string[]): Promise<LocalDisk[]> =>
  localDisks(db).where('disk.id', 'in', ids).execute()

/** What the local disks of an instance demand of its sled; undefined without any. */
export async function localNeedsOf(db: Reader, instanceId: string): Promise<LocalNeeds | undefined> {
  return needsOf(await localDisksOf(db, instanceId))
}

export function needsOf(disks: readonly Pick<LocalDisk, 'size' | 'sled_id'>[]): LocalNeeds | undefined {
  if (disks.length === 0) return undefined
  const unplaced = disks
    .filter(({ sled_id }) => sled_id === null)
    .map(({ size }) => bytesOnPhysicalDisk(size))
  return {
    sleds: new Set(disks.flatMap(({ sled_id }) => sled_id ?? [])),
    sizes: unplaced.sort((a, b) => b - a),
  }
}

interface Free {
  id: string
  sled_id: string
  free: number
}

/**
 * The physical disks for instance data, each with the bytes that no local disk has. What the recycle bin holds counts as
 * free, because it gives way.
 */
export async function freePhysicalDisks(db: Reader, sledId?: string): Promise<Free[]> {
  const { rows } = await sql<Free>`
    SELECT p.id, p.sled_id, ${dataDiskSize}::int8 - coalesce(sum(v.size) FILTER (WHERE d.id IS NOT NULL), 0)::int8 AS free
    FROM physical_disk p LEFT JOIN local_volume v ON v.physical_disk_id = p.id
    LEFT JOIN disk d ON d.content_id = v.content_id AND d.time_deleted IS NULL
    WHERE p.time_deleted IS NULL AND p.policy = 'in_service' AND p.state = 'active' AND p.form_factor = 'u2'
      AND ${sledId === undefined ? sql`p.sled_id IS NOT NULL` : sql`p.sled_id = ${sledId}`}
    GROUP BY p.id, p.sled_id`.execute(db)
  return rows
}

/** Gives the local disks of an instance that have no place yet one on its sled, whose usage is locked. */
export async function placeLocalDisks(tx: Change, instanceId: string, sledId: string): Promise<void> {
  const unplaced = (await localDisksOf(tx.read, instanceId)).filter(({ sled_id }) => sled_id === null)
  if (unplaced.length === 0) return
  const disks = await freePhysicalDisks(tx.read, sledId)
  for (const { content_id, size } of unplaced) {
    const [disk] = disks.sort((a, b) => b.free - a.free || (a.id < b.id ? -1 : 1))
    if (!disk) throw new Error(`sled ${sledId} has no physical disk for a local disk`)
    const bytes = bytesOnPhysicalDisk(size)
    disk.free -= bytes
    await tx.plain
      .insertInto('local_volume')
      .values({ content_id, sled_id: sledId, physical_disk_id: disk.id, size: bytes })
      .execute()
    await makeWay(tx, disk.id)
  }
}

/** Deletes for good what the recycle bin holds of a physical disk that is too full, the oldest first. */
async function makeWay(tx: Change, diskId: string): Promise<void> {
  const used = sql`(SELECT sum(size) FROM local_volume WHERE physical_disk_id = ${diskId})`
  await purge(
    tx,
    sql`id IN (SELECT id FROM (
      SELECT r.id, sum(v.size) OVER (ORDER BY r.time_deleted, r.id) - v.size AS before
      FROM recycled r JOIN local_volume v ON v.content_id = r.content_id
      WHERE v.physical_disk_id = ${diskId}) held WHERE before < ${used} - ${dataDiskSize}::int8)`,
    'disk',
  )
}
