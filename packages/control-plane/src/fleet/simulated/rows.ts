import { sql, type Transaction } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Row, Tables } from '../../db/tables.ts'
import { isRetryable } from '../../change/change.ts'
import type { SimulatedChange } from '../fleet.ts'
import { type GuestStep } from '../simulated-guest.ts'
import { powerOn } from './guest/machine.ts'
import { faultsOf, openFaults } from './faults.ts'
import { later, phaseMs, type SimulatedVm, stepPhase } from './phases.ts'
import { appendSerial } from './serial-log.ts'

/** The database of the simulated machines, and their clock. */
export interface Rack {
  db: Db
  clock: () => Date
}

/** A transaction of the simulation's own. */
export interface RackChange extends SimulatedChange {
  readonly plain: Transaction<Tables>
}

const attempts = 5

/** Runs a transaction of the simulation's own, and retries it if the database requires that. */
export async function transact<Result>(
  { db, clock }: Rack,
  run: (tx: RackChange) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute((plain) => run({ cx: { now: clock }, plain }))
    } catch (error) {
      if (!isRetryable(error) || attempt === attempts) throw error
    }
  }
}

/** The machine's current state, locked; the step to it may not have been stored yet. */
export async function lockVm(tx: RackChange, id: string): Promise<SimulatedVm | undefined> {
  const vm = await tx.plain
    .selectFrom('simulated_vm')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return vm && stepPhase(vm, faultsOf(await openFaults(tx.plain), vm), tx.cx.now())
}

export const writeVm = (
  tx: SimulatedChange,
  { id, sled_id, phase, phase_since, due_at, by_guest, reason, reboots }: SimulatedVm,
): Promise<unknown> =>
  tx.plain
    .updateTable('simulated_vm')
    .set({ sled_id, phase, phase_since, due_at, by_guest, reboots })
    .set({ reason: reason === null ? null : JSON.stringify(reason) })
    .where('id', '=', id)
    .execute()

/** Begins a timed phase. One that the guest began is reported at once. */
export async function beginPhase(
  tx: SimulatedChange,
  vm: SimulatedVm | undefined,
  phase: 'stopping' | 'rebooting',
  byGuest: boolean,
): Promise<void> {
  if (!vm || vm.phase === phase || vm.phase === 'stopping' || vm.phase === 'off' || vm.phase === 'crashed')
    return
  const now = tx.cx.now()
  const due_at = byGuest ? now : later(now, phaseMs[phase])
  await writeVm(tx, { ...vm, phase, phase_since: now, due_at, by_guest: byGuest })
}

/** Runs one step of the guest, stores its output, and returns the total bytes written. */
export async function withGuest(
  tx: SimulatedChange,
  vmId: string,
  run: (guest: Row<'guest'>, now: Date) => GuestStep,
): Promise<number> {
  const guest = await tx.plain
    .selectFrom('guest')
    .selectAll()
    .where('vmm_id', '=', vmId)
    .forUpdate()
    .executeTakeFirst()
  if (!guest) return 0
  const step = run(guest, tx.cx.now())
  const written = guest.written + step.output.length
  await tx.plain
    .updateTable('guest')
    .set({ state: JSON.stringify(step.state), written, generation: guest.generation + 1 })
    .where('vmm_id', '=', vmId)
    .execute()
  await appendSerial(tx, vmId, guest.written, step.output)
  return written
}

export async function restartGuest(tx: SimulatedChange, vmId: string): Promise<void> {
  await withGuest(tx, vmId, (guest, now) => ({ state: powerOn(guest.facts, now), output: new Uint8Array() }))
}

/** A guest that boots anew after Ctrl+Alt+Delete. */
export const resetByGuest = (rack: Rack, id: string): Promise<void> =>
  transact(rack, async (tx) => {
    const vm = await lockVm(tx, id)
    if (vm?.phase !== 'running') return
    await beginPhase(tx, vm, 'rebooting', true)
    await restartGuest(tx, id)
  })

/** Deletes machines with their guests and output. */
export const removeVms = (rack: Rack, ids: readonly string[]): Promise<void> =>
  transact(rack, async ({ plain }) => {
    await sql`DELETE FROM simulated_vm WHERE id = ANY (${ids}::uuid[])`.execute(plain)
    for (const table of ['guest', 'serial_chunk'] as const)
      await sql`DELETE FROM ${sql.table(table)} WHERE vmm_id = ANY (${ids}::uuid[])`.execute(plain)
  })
