import { sql } from 'kysely'
import type { Db } from '@gantry/control-plane/db/database'
import { ByteReader, ByteWriter } from './bytes.ts'
import { encodeBlock, type PointsBySeries } from './codec.ts'

/** Objects per row of the head: a round is a few rows, and an object's part is quick to find. */
const objectsPerShard = 64
/** Rows per statement, to limit its size in bytes. */
export const rowsPerStatement = 100

/** Writes one round: a row for each shard of objects. */
export async function writeRound(
  db: Db,
  at: Date,
  numbered: ReadonlyMap<number, PointsBySeries>,
): Promise<void> {
  const shards = new Map<number, ByteWriter>()
  for (const [object, points] of numbered) {
    const shard = shardOf(object)
    let writer = shards.get(shard)
    if (!writer) shards.set(shard, (writer = new ByteWriter()))
    const bytes = encodeBlock(points)
    writer.natural(object)
    writer.natural(bytes.length)
    writer.append(bytes)
  }
  const rows = [...shards].map(([chunk, writer]) => ({ chunk, at, data: writer.done() }))
  for (let from = 0; from < rows.length; from += rowsPerStatement)
    await db
      .insertInto('metric_head')
      .values(rows.slice(from, from + rowsPerStatement))
      // The samples of a shard may be written in parts.
      .onConflict((conflict) =>
        conflict.columns(['chunk', 'at']).doUpdateSet({ data: sql`metric_head.data || excluded.data` }),
      )
      .execute()
}

/** The shard of an object. */
export const shardOf = (object: number): number => Math.floor(object / objectsPerShard)

/** The parts of a row of the head, by object. */
export function* objectsIn(data: Uint8Array): Generator<[object: number, bytes: Uint8Array]> {
  const reader = new ByteReader(data)
  while (!reader.isAtEnd) {
    const object = reader.natural()
    yield [object, reader.take(reader.natural())]
  }
}

/** Overwrites whole blocks: repeated upkeep writes the same blocks again. */
export async function writeBlocks(
  db: Db,
  resolution: number,
  starts: Date,
  objects: ReadonlyMap<number, PointsBySeries>,
): Promise<void> {
  const rows = [...objects].map(([lane, points]) => ({
    lane,
    tier: resolution,
    starts,
    data: encodeBlock(points),
  }))
  for (let from = 0; from < rows.length; from += rowsPerStatement)
    await db
      .insertInto('metric_block')
      .values(rows.slice(from, from + rowsPerStatement))
      .onConflict((conflict) =>
        conflict.columns(['lane', 'tier', 'starts']).doUpdateSet({ data: sql`excluded.data` }),
      )
      .execute()
}
