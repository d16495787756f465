import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../kernel/change.ts'
import type { Services } from '../../kernel/services.ts'

/** A guest that has not shut down by then is powered off. */
const shutdownMs = 90_000
const pageRows = 64

/** Requests a shutdown of a machine; false if the fleet has not accepted the machine yet. */
export async function requestStop(tx: Change, vmmId: string): Promise<boolean> {
  const stopping = await tx.plain
    .updateTable('vmm')
    .set((eb) => ({ time_stop_requested: tx.cx.now(), revision: eb('revision', '+', 1) }))
    .where('id', '=', vmmId)
    .where('time_started', 'is not', null)
    .executeTakeFirst()
  return stopping.numUpdatedRows > 0n
}

export async function requestReboot(tx: Change, vmmId: string): Promise<void> {
  await tx.plain
    .updateTable('vmm')
    .set((eb) => ({ reboots: eb('reboots', '+', 1), revision: eb('revision', '+', 1) }))
    .where('id', '=', vmmId)
    .execute()
}

export async function requestHost(tx: Change, vmmId: string, sledId: string): Promise<void> {
  await tx.plain
    .updateTable('vmm')
    .set((eb) => ({ sled_id: sledId, revision: eb('revision', '+', 1) }))
    .where('id', '=', vmmId)
    .execute()
}

type Wanted = Pick<
  Row<'vmm'>,
  'id' | 'sled_id' | 'time_gone' | 'time_stop_requested' | 'reboots' | 'revision'
>

/**
 * Sends the wanted states of machines to the fleet. A failed call is retried in the next run, and does not delay
 * other machines.
 */
export async function applyWanted(services: Services): Promise<void> {
  for (let after = ''; ;) {
    const pending = await pendingAfter(services, after)
    const gone = pending.filter(({ time_gone }) => time_gone !== null)
    const kept = pending.filter(({ time_gone }) => time_gone === null)
    const accepted = await Promise.all([
      passOn(services, gone, () => services.fleet.machines.destroy(gone.map(({ id }) => id))),
      ...kept.map((one) => passOn(services, [one], () => applyOne(services, one))),
    ])
    await markApplied(services, accepted.flat())
    after = pending.at(-1)?.id ?? ''
    if (pending.length < pageRows) return
  }
}

function pendingAfter({ db }: Services, after: string): Promise<Wanted[]> {
  const rows = db
    .selectFrom('vmm')
    .select(['id', 'sled_id', 'time_gone', 'time_stop_requested', 'reboots', 'revision'])
    .where(sql<boolean>`applied_revision < revision`)
    .orderBy('id')
    .limit(pageRows)
  return (after === '' ? rows : rows.where('id', '>', after)).execute()
}

async function applyOne({ fleet: { machines } }: Services, wanted: Wanted): Promise<void> {
  const { id, sled_id, time_stop_requested, reboots } = wanted
  if (time_stop_requested) return machines.stop(id, new Date(time_stop_requested.getTime() + shutdownMs))
  await machines.migrate?.(id, sled_id)
  if (reboots > 0) await machines.reboot(id, reboots)
}

/** The machines, if the fleet accepted their wanted states. */
async function passOn(
  services: Services,
  wanted: readonly Wanted[],
  call: () => Promise<void>,
): Promise<readonly Wanted[]> {
  if (wanted.length === 0) return []
  try {
    await call()
    return wanted
  } catch (error) {
    services.log.error(
      { err: error, machines: wanted.map(({ id }) => id) },
      'the fleet did not accept the wanted states of machines; they will be sent again',
    )
    return []
  }
}

/** A machine with a newer wanted state remains pending. */
async function markApplied({ db }: Services, accepted: readonly Wanted[]): Promise<void> {
  if (accepted.length === 0) return
  const rows = JSON.stringify(accepted.map(({ id, revision }) => ({ id, revision })))
  await sql`UPDATE vmm SET applied_revision = accepted.revision
    FROM jsonb_to_recordset(${rows}::jsonb) AS accepted (id uuid, revision int8)
    WHERE vmm.id = accepted.id AND vmm.applied_revision < accepted.revision`.execute(db)
}
