import type { FailureReason } from '@gantry/api/extensions'
import { invalid } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import type { InjectedFault, SimulatedChange } from '../fleet.ts'

type Faulty = Pick<Row<'simulated_vm'>, 'instance_id' | 'sled_id'>

/** Operators set faults by hand, so few are open at a time. */
export const openFaults = (db: Reader): Promise<InjectedFault[]> =>
  db.selectFrom('fault').select(['kind', 'instance_id', 'sled_id']).where('time_ended', 'is', null).execute()

export const faultsOf = (faults: readonly InjectedFault[], vm: Faulty): Set<string> =>
  new Set(
    faults
      .filter(({ instance_id, sled_id }) => instance_id === vm.instance_id || sled_id === vm.sled_id)
      .map(({ kind }) => kind),
  )

export async function lostSleds(db: Reader): Promise<Set<string | null>> {
  const rows = await db
    .selectFrom('fault')
    .select('sled_id')
    .where('kind', '=', 'sled_lost')
    .where('time_ended', 'is', null)
    .execute()
  return new Set(rows.map(({ sled_id }) => sled_id))
}

export const crashReason = (now: Date, code: string, message: string, next_step: string): FailureReason => ({
  code,
  message,
  next_step,
  details: null,
  time: now.toISOString(),
})

export const sledLost = (now: Date): FailureReason =>
  crashReason(
    now,
    'sled_lost',
    'Its sled is unreachable.',
    'Start the instance again; it will run on another sled.',
  )

export async function injectFault(
  tx: SimulatedChange,
  { kind, instance_id, sled_id }: InjectedFault,
): Promise<void> {
  const now = tx.cx.now()
  if (kind === 'vm_crash' && instance_id !== null) {
    const advice = 'Start the instance again, or wait for the automatic restart.'
    const crashed = await crash(tx, { instance_id }, crashReason(now, kind, 'The machine crashed.', advice))
    if (crashed === 0n)
      throw invalid('the instance has no machine that could crash', 'Start the instance first.')
  }
  if (kind === 'sled_lost' && sled_id !== null) await crash(tx, { sled_id }, sledLost(now))
}

/** Ends machines at once, as after a crash or the loss of a sled; returns how many there were. */
async function crash(
  tx: SimulatedChange,
  which: { instance_id: string } | { sled_id: string },
  reason: FailureReason,
): Promise<bigint> {
  const now = tx.cx.now()
  const [column, id] =
    'instance_id' in which
      ? (['instance_id', which.instance_id] as const)
      : (['sled_id', which.sled_id] as const)
  // In one order, so that two changes do not wait for each other.
  await tx.plain
    .selectFrom('simulated_vm')
    .select('id')
    .where(column, '=', id)
    .orderBy('id')
    .forUpdate()
    .execute()
  const { numUpdatedRows } = await tx.plain
    .updateTable('simulated_vm')
    .set({ phase: 'crashed', phase_since: now, due_at: now, by_guest: false, reason: JSON.stringify(reason) })
    .where(column, '=', id)
    .where('phase', 'not in', ['off', 'crashed'])
    .executeTakeFirst()
  return numUpdatedRows
}
