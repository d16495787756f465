import type { FailureReason } from '@gantry/api/extensions'
import { sql } from 'kysely'
import type { Row } from '../db/tables.ts'
import { latestPast } from '../kernel/time.ts'
import type { Reader } from '../db/database.ts'
import type { Fleet, FleetChange, VmReport } from './fleet.ts'
import { BOOT_MS } from './guest/boot-log.ts'
import type { GuestAction, GuestStep } from './guest/guest.ts'
import { advance, nextDue, powerOn, type } from './guest/machine.ts'
import { sledUsage, vmUsage } from './load.ts'
import { appendSerial, readSerialBytes } from './serial-log.ts'

/** Duration of each phase of a simulated VM, in milliseconds. */
const phaseMs = { booting: BOOT_MS + 500, rebooting: BOOT_MS + 500, migrating: 2000, stopping: 1500 } as const
/** A `slow_boot` fault multiplies the boot time by this factor. */
const slowBootFactor = 6

type Vm = Row<'simulated_vm'>

const reported: Record<Vm['phase'], VmReport['state']> = {
  booting: 'starting',
  running: 'running',
  migrating: 'migrating',
  stopping: 'stopping',
  rebooting: 'rebooting',
  off: 'stopped',
  crashed: 'failed',
}

const later = (date: Date, ms: number): Date => new Date(date.getTime() + ms)

/**
 * A rack whose VMs are rows: a VM's behaviour is a function of its row and the clock, so it continues
 * unchanged after a restart, in several processes and in a browser.
 */
export const simulatedFleet: Fleet = {
  isSimulated: true,

  async start(tx, vm) {
    const known = await tx.read
      .selectFrom('simulated_vm')
      .select('id')
      .where('id', '=', vm.id)
      .executeTakeFirst()
    if (known) return
    const now = tx.cx.now()
    // Locked, so that a sled lost concurrently is either lost for this VM too, or finds and ends it.
    await tx.hold('sled', vm.sled_id)
    const lost = (await faultsOf(tx.read, vm)).has('sled_lost')
    await tx.plain
      .insertInto('simulated_vm')
      .values({
        id: vm.id,
        sled_id: vm.sled_id,
        instance_id: vm.instance_id,
        phase: lost ? 'crashed' : 'booting',
        phase_since: now,
        due_at: lost ? now : later(now, phaseMs.booting),
        by_guest: false,
        reason: lost ? JSON.stringify(sledLost(now)) : null,
      })
      .execute()
    await tx.plain
      .insertInto('guest')
      .values({
        vmm_id: vm.id,
        facts: JSON.stringify(vm.facts),
        state: JSON.stringify(powerOn(vm.facts, now)),
        written: 0,
      })
      .execute()
  },

  stop: (tx, vmId) => turn(tx, vmId, 'stopping', false),

  async reboot(tx, vmId) {
    await turn(tx, vmId, 'rebooting', false)
    await restartGuest(tx, vmId)
  },

  async move(tx, vmId, sled_id) {
    const vm = await lockVm(tx, vmId)
    if (vm?.phase !== 'running') return
    // Locked, so that a sled lost concurrently is either lost for this VM too, or finds and ends it.
    await tx.hold('sled', sled_id)
    const now = tx.cx.now()
    const lost = (await faultsOf(tx.read, { ...vm, sled_id })).has('sled_lost')
    const next = lost
      ? ({ phase: 'crashed', due_at: now, reason: sledLost(now) } as const)
      : ({ phase: 'migrating', due_at: later(now, phaseMs.migrating) } as const)
    await writeVm(tx, { ...vm, sled_id, phase_since: now, by_guest: false, ...next })
  },

  async news(db, now, limit) {
    const rows = await db
      .selectFrom('simulated_vm')
      .select(['id', 'due_at'])
      .where('due_at', 'is not', null)
      .orderBy('due_at')
      .limit(limit + 1)
      .execute()
    const due = rows.filter((row) => row.due_at !== null && row.due_at <= now)
    const next = rows.find((row) => row.due_at !== null && row.due_at > now)?.due_at
    return { ids: due.map((row) => row.id), nextInMs: next ? next.getTime() - now.getTime() : undefined }
  },

  async mendTimes(db, now) {
    const past = latestPast(now)
    await sql`UPDATE simulated_vm SET due_at = ${now}::timestamptz + (due_at - phase_since), phase_since = ${now}
      WHERE phase_since > ${past}`.execute(db)
    await sql`UPDATE guest SET state = state || jsonb_build_object('booted_at', ${now.toISOString()}::text)
      WHERE (state ->> 'booted_at')::timestamptz > ${past}`.execute(db)
    await sql`UPDATE guest SET state = state || jsonb_build_object('last_login', ${now.toISOString()}::text)
      WHERE (state ->> 'last_login')::timestamptz > ${past}`.execute(db)
  },

  async report(tx, vmId) {
    const vm = await lockVm(tx, vmId)
    if (!vm) return undefined
    const next = await stepPhase(tx, vm)
    if (next !== vm) await writeVm(tx, next)
    return { state: reported[next.phase], by_guest: next.by_guest, reason: next.reason }
  },

  async forget(tx, vmId) {
    await tx.plain.deleteFrom('simulated_vm').where('id', '=', vmId).execute()
    await tx.plain.deleteFrom('guest').where('vmm_id', '=', vmId).execute()
    await tx.plain.deleteFrom('serial_chunk').where('vmm_id', '=', vmId).execute()
  },

  advanceSerial: (tx, vmId) => withGuest(tx, vmId, (guest, now) => advance(guest.facts, guest.state, now)),

  async typeSerial(tx, vmId, bytes) {
    let action: GuestAction | undefined
    await withGuest(tx, vmId, (guest, now) => {
      const step = type(guest.facts, guest.state, bytes, now)
      action = step.action
      return step
    })
    if (action) await turn(tx, vmId, action === 'poweroff' ? 'stopping' : 'rebooting', true)
    if (action === 'reboot') await restartGuest(tx, vmId)
  },

  async serialStates(db, vmIds) {
    if (vmIds.length === 0) return new Map()
    const guests = await db
      .selectFrom('guest')
      .select(['vmm_id', 'facts', 'state', 'written'])
      .where('vmm_id', 'in', vmIds)
      .execute()
    return new Map(
      guests.map(({ vmm_id, facts, state, written }) => [
        vmm_id,
        { written, nextDue: nextDue(facts, state) },
      ]),
    )
  },

  readSerial: readSerialBytes,

  async startProbe(tx, probe) {
    await tx.plain
      .insertInto('simulated_probe')
      .values({ ...probe, time_started: tx.cx.now() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  },

  async stopProbe(tx, probeId) {
    await tx.plain.deleteFrom('simulated_probe').where('id', '=', probeId).execute()
  },

  async probeStates(db, probeIds) {
    if (probeIds.length === 0) return new Map()
    const probes = await db
      .selectFrom('simulated_probe')
      .select(['id', 'sled_id'])
      .where('id', 'in', probeIds)
      .execute()
    const lost = await lostSleds(db)
    return new Map(probes.map(({ id, sled_id }) => [id, lost.has(sled_id) ? 'unreachable' : 'running']))
  },

  async measureVms(db, vms, times) {
    if (vms.length === 0) return new Map()
    const running = await db
      .selectFrom('simulated_vm')
      .select('id')
      .where(
        'id',
        'in',
        vms.map(({ id }) => id),
      )
      .where('phase', 'not in', ['off', 'crashed'])
      .execute()
    const ids = new Set(running.map(({ id }) => id))
    const at = times.map((time) => time.getTime())
    return new Map(
      vms.filter(({ id }) => ids.has(id)).map((vm) => [vm.id, vmUsage(vm, vm.since.getTime(), at)]),
    )
  },

  async measureSleds(db, sleds, times) {
    const gone = await lostSleds(db)
    const at = times.map((time) => time.getTime())
    return new Map(
      sleds
        .filter(({ id }) => !gone.has(id))
        .map(({ id, since }) => [id, sledUsage(id, since.getTime(), at)]),
    )
  },
}

/** Begins a timed phase. When the guest began it, the control plane learns of it at once. */
async function turn(
  tx: FleetChange,
  vmId: string,
  phase: 'stopping' | 'rebooting',
  byGuest: boolean,
): Promise<void> {
  const vm = await lockVm(tx, vmId)
  if (!vm || vm.phase === phase || vm.phase === 'stopping' || vm.phase === 'off' || vm.phase === 'crashed')
    return
  const now = tx.cx.now()
  const due_at = byGuest ? now : later(now, phaseMs[phase])
  await writeVm(tx, { ...vm, phase, phase_since: now, due_at, by_guest: byGuest })
}

async function restartGuest(tx: FleetChange, vmId: string): Promise<void> {
  await withGuest(tx, vmId, (guest, now) => ({ state: powerOn(guest.facts, now), output: new Uint8Array() }))
}

/** The VM's current state: the next phase if its time is over, or the fault that ended it. */
async function stepPhase(tx: FleetChange, vm: Vm): Promise<Vm> {
  const now = tx.cx.now()
  if (vm.phase === 'running' || vm.phase === 'off' || vm.phase === 'crashed') return { ...vm, due_at: null }
  const faults = await faultsOf(tx.read, vm)
  const slow = (vm.phase === 'booting' || vm.phase === 'rebooting') && faults.has('slow_boot')
  const ends = later(vm.phase_since, phaseMs[vm.phase] * (slow ? slowBootFactor : 1))
  if (now < ends) return { ...vm, due_at: ends }
  const over = { ...vm, phase_since: now, due_at: null }
  if (vm.phase === 'stopping') return { ...over, phase: 'off' }
  if (vm.phase !== 'migrating' && faults.has('boot_failure')) {
    return {
      ...over,
      phase: 'crashed',
      reason: crashReason(
        now,
        'boot_failure',
        'The machine stopped during boot.',
        // Users who run the instance can neither see nor end a fault of the rack.
        'Start the instance again. If it fails again, contact the operator.',
      ),
    }
  }
  return { ...over, phase: 'running', by_guest: false }
}

async function faultsOf(db: Reader, vm: Pick<Vm, 'instance_id' | 'sled_id'>): Promise<Set<string>> {
  const rows = await db
    .selectFrom('fault')
    .select('kind')
    .where('time_ended', 'is', null)
    .where((eb) => eb.or([eb('instance_id', '=', vm.instance_id), eb('sled_id', '=', vm.sled_id)]))
    .execute()
  return new Set(rows.map((row) => row.kind))
}

async function lostSleds(db: Reader): Promise<Set<string | null>> {
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

/** Ends VMs at once, as after a crash or the loss of a sled. */
export async function crash(
  tx: FleetChange,
  which: { instance_id: string } | { sled_id: string },
  reason: FailureReason,
): Promise<void> {
  const now = tx.cx.now()
  const [column, id] =
    'instance_id' in which
      ? (['instance_id', which.instance_id] as const)
      : (['sled_id', which.sled_id] as const)
  await tx.plain
    .updateTable('simulated_vm')
    .set({ phase: 'crashed', phase_since: now, due_at: now, by_guest: false, reason: JSON.stringify(reason) })
    .where(column, '=', id)
    .where('phase', 'not in', ['off', 'crashed'])
    .execute()
}

const lockVm = (tx: FleetChange, vmId: string): Promise<Vm | undefined> =>
  tx.plain.selectFrom('simulated_vm').selectAll().where('id', '=', vmId).forUpdate().executeTakeFirst()

async function writeVm(tx: FleetChange, { id, reason, ...vm }: Vm): Promise<void> {
  await tx.plain
    .updateTable('simulated_vm')
    .set({ ...vm, reason: reason ? JSON.stringify(reason) : null })
    .where('id', '=', id)
    .execute()
}

/** Runs one step of the guest, stores its output, and returns the total bytes written. */
async function withGuest(
  tx: FleetChange,
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
