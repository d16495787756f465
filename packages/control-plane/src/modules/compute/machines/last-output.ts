import type { LastOutput } from '@gantry/api/compute/last-output'
import { lastOutputBytes } from '@gantry/api/compute/last-output.rules'
import { sql } from 'kysely'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import type { Services } from '@gantry/control-plane/context/services'

export async function viewLastOutput(cx: Cx, at: Selectors): Promise<LastOutput> {
  const { row } = await need(cx, 'instance', at, 'read')
  const kept = await cx.db
    .selectFrom('last_output')
    .select(['time', sql<string>`replace(encode(data, 'base64'), chr(10), '')`.as('data')])
    .where('instance_id', '=', row.id)
    .executeTakeFirst()
  return { output: kept ? { time: kept.time.toISOString(), data: kept.data } : null }
}

type Ended = Pick<Row<'vmm'>, 'id' | 'time_gone'>

/** Keeps the end of the output of machines before they are destroyed. Without it, they are destroyed nevertheless. */
export async function keepLastOutput(services: Services, ended: readonly Ended[]): Promise<void> {
  try {
    const written = await services.fleet.serial.written(ended.map(({ id }) => id))
    for (const { id, time_gone } of ended) {
      const bytes = written.get(id) ?? 0
      if (bytes > 0 && time_gone) await storeOutput(services, id, { time: time_gone, written: bytes })
    }
  } catch (err) {
    services.log.warn({ err }, 'the last output of machines was not kept')
  }
}

async function storeOutput(
  { db, fleet }: Services,
  id: string,
  { time, written }: { time: Date; written: number },
): Promise<void> {
  const { bytes } = await fleet.serial.read(id, Math.max(0, written - lastOutputBytes), lastOutputBytes)
  // Not for an instance that is deleted, also meanwhile, nor over the output of a later machine.
  await sql`INSERT INTO last_output (instance_id, time, data)
    SELECT instance.id, ${time}, ${bytes} FROM vmm JOIN instance ON instance.id = vmm.instance_id
    WHERE vmm.id = ${id} AND instance.time_deleted IS NULL FOR SHARE OF instance
    ON CONFLICT (instance_id) DO UPDATE SET time = excluded.time, data = excluded.data
    WHERE last_output.time <= excluded.time`.execute(db)
}
