import { subnetIpv6Width } from '@gantry/api/network/vpc.rules'
import { sql } from 'kysely'
import type { MachineReport, Machines, MachineSpec } from '../fleet.ts'
import { changeCds, guestCds, guestDisk, heldCds, heldDisks, plugDisk, unplugDisk } from './plugs.ts'
import { faultsOf, openFaults, sledLost } from './faults.ts'
import type { GuestFacts } from '../simulated-guest.ts'
import { powerOn } from './guest/machine.ts'
import { later, phaseMs, reportedState, type SimulatedVm, stepPhase } from './phases.ts'
import {
  lockVm,
  type Rack,
  type RackChange,
  removeVms,
  restartGuest,
  transact,
  beginPhase,
  writeVm,
} from './rows.ts'

/** Machines as rows. `hints` are called when this process has changed one. */
export function simulatedMachines(rack: Rack, hints: Set<() => void>): Machines {
  const notify = (): void => hints.forEach((hint) => hint())
  const step = async (run: (tx: RackChange) => Promise<void>): Promise<void> => {
    await transact(rack, run)
    notify()
  }
  return {
    offers: { uefi: true, secure_boot: true, tpm: true },

    ensure: (spec) => step((tx) => powerUp(tx, spec)),

    // Its guests always shut down long before a deadline to come.
    stop: (id, deadline) =>
      step(async (tx) => {
        const vm = await lockVm(tx, id)
        if (deadline > tx.cx.now()) await beginPhase(tx, vm, 'stopping', false)
        else if (vm && vm.phase !== 'off' && vm.phase !== 'crashed') await cutPower(tx, vm)
      }),

    reboot: (id, reboots) =>
      step(async (tx) => {
        const vm = await lockVm(tx, id)
        // The report of an end must stay pending; writing the row that was read here would remove it.
        if (!vm || vm.reboots >= reboots || vm.phase === 'off' || vm.phase === 'crashed') return
        await writeVm(tx, { ...vm, reboots })
        await beginPhase(tx, { ...vm, reboots }, 'rebooting', false)
        await restartGuest(tx, id)
      }),

    migrate: (id, hostId) => step((tx) => migrate(tx, id, hostId)),

    plug: (id, disk) => plugDisk(rack, id, disk),
    unplug: (id, diskId) => unplugDisk(rack, id, diskId),
    disks: (id) => heldDisks(rack, id),
    setCds: (id, cds) => changeCds(rack, id, cds),
    cds: (id) => heldCds(rack, id),

    destroy: (ids) => removeVms(rack, ids),

    async states(ids) {
      if (ids.length === 0) return new Map()
      const vms = await rack.db
        .selectFrom('simulated_vm')
        .selectAll()
        .select(faultKinds)
        .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
        .execute()
      const now = rack.clock()
      return new Map(
        vms.map(({ faults, ...vm }) => [vm.id, reportOf(vm, stepPhase(vm, new Set(faults), now))]),
      )
    },

    async list(after, limit) {
      const ids = rack.db.selectFrom('simulated_vm').select('id').orderBy('id').limit(limit)
      const rows = await (after === undefined ? ids : ids.where('id', '>', after)).execute()
      return rows.map(({ id }) => id)
    },

    async pending(limit) {
      const rows = await rack.db
        .selectFrom('simulated_vm')
        .select(['id', 'due_at'])
        .where('due_at', 'is not', null)
        .orderBy('due_at')
        .limit(limit + 1)
        .execute()
      const now = rack.clock()
      const due = rows.filter((row) => row.due_at !== null && row.due_at <= now)
      const next = rows.find((row) => row.due_at !== null && row.due_at > now)?.due_at
      return { ids: due.map((row) => row.id), nextInMs: next ? next.getTime() - now.getTime() : undefined }
    },

    async acknowledge(reports) {
      if (reports.size === 0) return
      const steps = [...reports.values()].map(({ version }) => version).join(',')
      await sql`UPDATE simulated_vm AS vm SET phase = next.phase, phase_since = next.phase_since, due_at = next.due_at,
          by_guest = next.by_guest, reason = next.reason
        FROM jsonb_to_recordset(${`[${steps}]`}::jsonb) AS next (id uuid, was text, was_since timestamptz,
          phase text, phase_since timestamptz, due_at timestamptz, by_guest bool, reason jsonb)
        WHERE vm.id = next.id AND vm.phase = next.was
          AND date_trunc('milliseconds', vm.phase_since) = next.was_since`.execute(rack.db)
    },

    watch(hint, signal) {
      hints.add(hint)
      signal.addEventListener('abort', () => hints.delete(hint))
    },
  }
}

const faultKinds = sql<string[]>`ARRAY(SELECT fault.kind FROM fault WHERE time_ended IS NULL
  AND (fault.instance_id = simulated_vm.instance_id OR fault.sled_id = simulated_vm.sled_id))`.as('faults')

/**
 * The version is the step computed here. Acknowledging it stores it, unless the machine has taken another one
 * meanwhile.
 */
function reportOf(was: SimulatedVm, next: SimulatedVm): MachineReport {
  const { id, phase, phase_since, due_at, by_guest, reason } = next
  const step = { id, phase, phase_since, due_at, by_guest, reason }
  return {
    state: reportedState[phase],
    by_guest,
    reason,
    version: JSON.stringify({ ...step, was: was.phase, was_since: was.phase_since }),
  }
}

async function powerUp(tx: RackChange, spec: MachineSpec): Promise<void> {
  const { id, instance_id, host_id: sled_id } = spec
  // Locked, so that a sled lost concurrently is either lost for this machine too, or finds and ends it.
  await lockSled(tx, sled_id)
  const now = tx.cx.now()
  const lost = faultsOf(await openFaults(tx.plain), { instance_id, sled_id }).has('sled_lost')
  const made = await tx.plain
    .insertInto('simulated_vm')
    .values({
      id,
      sled_id,
      instance_id,
      phase: lost ? 'crashed' : 'booting',
      phase_since: now,
      due_at: lost ? now : later(now, phaseMs.booting),
      by_guest: false,
      reason: lost ? JSON.stringify(sledLost(now)) : null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return
  const facts = factsOf(spec)
  await tx.plain
    .insertInto('guest')
    .values({
      vmm_id: id,
      facts: JSON.stringify(facts),
      state: JSON.stringify(powerOn(facts, now)),
      written: 0,
    })
    .execute()
}

async function migrate(tx: RackChange, id: string, sled_id: string): Promise<void> {
  const vm = await lockVm(tx, id)
  if (vm?.phase !== 'running' || vm.sled_id === sled_id) return
  await lockSled(tx, sled_id)
  const now = tx.cx.now()
  const lost = faultsOf(await openFaults(tx.plain), { ...vm, sled_id }).has('sled_lost')
  const next = lost
    ? ({ phase: 'crashed', due_at: now, reason: sledLost(now) } as const)
    : ({ phase: 'migrating', due_at: later(now, phaseMs.migrating) } as const)
  await writeVm(tx, { ...vm, sled_id, phase_since: now, by_guest: false, ...next })
}

function cutPower(tx: RackChange, vm: SimulatedVm): Promise<unknown> {
  const now = tx.cx.now()
  return writeVm(tx, { ...vm, phase: 'off', phase_since: now, due_at: now, by_guest: false, reason: null })
}

const lockSled = (tx: RackChange, id: string): Promise<unknown> =>
  tx.plain.selectFrom('sled').select('id').where('id', '=', id).forShare().execute()

const factsOf = (spec: MachineSpec): GuestFacts => ({
  instance_id: spec.instance_id,
  name: spec.name,
  hostname: spec.hostname,
  ncpus: spec.ncpus,
  memory: spec.memory,
  disks: spec.disks.map(guestDisk),
  interfaces: spec.interfaces.map(({ name, mac, ip, ipv6, subnet, is_primary, mtu }) => ({
    name,
    mac,
    ip: ip ?? ipv6 ?? '',
    prefix_length: ip === null ? subnetIpv6Width : Number(subnet.split('/')[1]),
    ipv6: ip === null ? null : ipv6,
    is_primary,
    ...(mtu && { mtu }),
  })),
  os: spec.os === '' ? 'Linux' : spec.os,
  version: spec.version,
  firmware: spec.hardware.firmware,
  has_tpm: spec.hardware.tpm,
  has_agent: spec.disks.length > 0,
  ssh_keys: spec.ssh_keys.length,
  cds: guestCds(spec.cds),
})
