import { sql } from 'kysely'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import type { Services } from '@gantry/control-plane/context/services'
import { keepLastOutput } from './last-output.ts'
import { Refusals } from './refusals.ts'
import { onceEach } from '@gantry/control-plane/context/once-each'

/** A guest that has not shut down by then is powered off. */
const shutdownMs = 90_000
/** A deadline that has passed by every clock. */
const pastDeadline = new Date(0)
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

/** Requests the end of a machine at once, also of one that is stopping; false if the fleet has not accepted it yet. */
export async function requestForceOff(tx: Change, vmmId: string): Promise<boolean> {
  const ending = await tx.plain
    .updateTable('vmm')
    .set((eb) => ({
      time_stop_requested: eb.fn.coalesce('time_stop_requested', eb.val(tx.cx.now())),
      is_forced_off: true,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', vmmId)
    .where('time_started', 'is not', null)
    .executeTakeFirst()
  return ending.numUpdatedRows > 0n
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
  'id' | 'sled_id' | 'time_gone' | 'time_stop_requested' | 'is_forced_off' | 'reboots' | 'revision'
>

const refusalsOf = onceEach((_services: Services) => new Refusals())

/**
 * Sends the wanted states of machines to the fleet. A failed call is retried with growing delays, and does not delay
 * other machines.
 */
export async function applyWanted(services: Services): Promise<void> {
  const refusals = refusalsOf(services)
  const stillPending = new Set<string>()
  for (let after = ''; ;) {
    const pending = await pendingAfter(services, after)
    const now = services.clock()
    const due = pending.filter((one) => refusals.isDue(one, now))
    const gone = due.filter(({ time_gone }) => time_gone !== null)
    // Machines whose end has failed are ended one by one: any of them may be the cause.
    const together = gone.filter((one) => !refusals.has(one))
    const alone = due.filter((one) => one.time_gone === null || refusals.has(one))
    const accepted = await Promise.all([
      sendTogether(services, refusals, together, () => destroyEnded(services, together)),
      ...alone.map((one) =>
        sendTogether(services, refusals, [one], () =>
          one.time_gone === null ? sendWanted(services, one) : destroyEnded(services, [one]),
        ),
      ),
    ])
    await markApplied(services, accepted.flat())
    for (const { id } of pending) stillPending.add(id)
    after = pending.at(-1)?.id ?? ''
    if (pending.length < pageRows) break
  }
  // Another process may have sent what this one could not.
  refusals.keepOnly(stillPending)
}

function pendingAfter({ db }: Services, after: string): Promise<Wanted[]> {
  const rows = db
    .selectFrom('vmm')
    .select(['id', 'sled_id', 'time_gone', 'time_stop_requested', 'is_forced_off', 'reboots', 'revision'])
    .where(sql<boolean>`applied_revision < revision`)
    .orderBy('id')
    .limit(pageRows)
  return (after === '' ? rows : rows.where('id', '>', after)).execute()
}

async function destroyEnded(services: Services, gone: readonly Wanted[]): Promise<void> {
  await keepLastOutput(services, gone)
  await services.fleet.machines.destroy(gone.map(({ id }) => id))
}

async function sendWanted({ fleet: { machines } }: Services, wanted: Wanted): Promise<void> {
  const { id, sled_id, time_stop_requested, is_forced_off, reboots } = wanted
  if (is_forced_off) return machines.stop(id, pastDeadline)
  if (time_stop_requested) return machines.stop(id, new Date(time_stop_requested.getTime() + shutdownMs))
  await machines.migrate?.(id, sled_id)
  if (reboots > 0) await machines.reboot(id, reboots)
}

/** The machines, if the fleet accepted their wanted states. */
async function sendTogether(
  services: Services,
  refusals: Refusals,
  wanted: readonly Wanted[],
  call: () => Promise<void>,
): Promise<readonly Wanted[]> {
  if (wanted.length === 0) return []
  try {
    await call()
    for (const one of wanted) refusals.forget(one)
    return wanted
  } catch (error) {
    const now = services.clock()
    const firstRefusals = wanted.filter((one) => refusals.add(one, (error as Error).message, now))
    if (firstRefusals.length > 0)
      services.log.error(
        { err: error, machines: firstRefusals.map(({ id }) => id) },
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
