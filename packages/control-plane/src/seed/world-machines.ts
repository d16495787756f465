import { GiB } from '@gantry/api/base/bytes.rules'
import type { Row } from '../db/tables.ts'
import type { GuestFacts } from '../fleet/simulated-guest.ts'
import { powerOn } from '../fleet/simulated/guest/machine.ts'
import { nextSlot } from '../fleet/disk-slots.ts'
import { sledLost } from '../fleet/simulated/faults.ts'
import type { Change, Fresh } from '../change/change.ts'
import { allVpcMacs, usableAddresses } from '../modules/network/addresses/choose-address.ts'
import { createDefaultVpc } from '../modules/network/records/default-vpc.ts'
import { formatIpv4, formatMac } from '../modules/network/addresses/ip.ts'
import { makeContentLater } from '../modules/storage/content.ts'
import { useSled } from '../modules/compute/machines/reserve.ts'
import { type PlannedMachine, type PlannedProject, plannedProjects, slotsInTurn } from './world-plan.ts'
import { addressesOf, type PoolOfSilo } from './world-addresses.ts'
import { lostForMs } from './world-sleds.ts'

const blockSize = 4096

/** The plan's projects with their instances, written in bulk to keep a first start fast. */
export async function seedMachines(
  tx: Change,
  { sleds, lost }: { sleds: readonly Row<'sled'>[]; lost: string },
  silos: readonly PoolOfSilo[],
): Promise<void> {
  const slots = slotsFrom(sleds)
  for (const { silo, pool } of silos) {
    const addresses = addressesOf(tx, pool)
    for (const plan of plannedProjects.filter((one) => one.silo === silo.name)) {
      const network = await addProject(tx, silo, plan)
      const made = plan.machines.map((machine, index) => machineOf(tx, network, machine, index, slots))
      await write(tx, network, made, lost)
      await addresses.give(
        network.project,
        made.map(({ instance }) => instance.id),
        plan.floating,
      )
    }
  }
}

interface ProjectNetwork {
  project: Row<'project'>
  vpc: Row<'vpc'>
  subnet: Row<'vpc_subnet'>
}

async function addProject(tx: Change, silo: Row<'silo'>, plan: PlannedProject): Promise<ProjectNetwork> {
  tx.at({ silo_id: silo.id, project_id: null })
  const { name, description } = plan
  const project = await tx.insert('project', { name, description, silo_id: silo.id })
  tx.at({ silo_id: silo.id, project_id: project.id })
  await tx.plain.insertInto('provisioning').values({ id: project.id, kind: 'project' }).execute()
  await createDefaultVpc(tx, project)
  const vpc = tx.read.selectFrom('vpc').selectAll().where('project_id', '=', project.id)
  const found = await vpc.executeTakeFirstOrThrow()
  const subnet = tx.read.selectFrom('vpc_subnet').selectAll().where('vpc_id', '=', found.id)
  return { project, vpc: found, subnet: await subnet.executeTakeFirstOrThrow() }
}

/** Sled slots in turn, busy ones more often. */
function* slotsFrom(sleds: readonly Row<'sled'>[]): Generator<string> {
  for (let turn = 0; ; turn++) {
    const sled = sleds[slotsInTurn[turn % slotsInTurn.length] ?? 0]
    if (!sled) throw new Error('the plan names a slot without a sled')
    yield sled.id
  }
}

interface Machine {
  planned: PlannedMachine
  instance: Fresh<'instance'> & { id: string }
  disk: Fresh<'disk'> & { id: string; content_id: string; size: number }
  nic: Fresh<'network_interface'>
  vmm: { id: string; sled_id: string } | undefined
  /** When it was first started, and since when it is in its state. */
  began: Date
  since: Date
}

/** How long after the loss of a sled its instances fail, and how long each takes to be restarted. */
const failedMs = 60_000
const restartMs = 23_000

function machineOf(
  tx: Change,
  { project, vpc, subnet }: ProjectNetwork,
  planned: PlannedMachine,
  index: number,
  slots: Iterator<string>,
): Machine {
  const { cx } = tx
  const { name, state, wasLost } = planned
  const now = cx.now().getTime()
  const began = new Date(now - (index * 7 + 1) * 3_600_000)
  const since = wasLost
    ? new Date(now - lostForMs + (state === 'failed' ? failedMs : failedMs + (index + 1) * restartMs))
    : began
  const id = cx.newId()
  const disk_id = cx.newId()
  const sled: IteratorResult<string> | undefined = state === 'running' ? slots.next() : undefined
  const vmm = sled ? { id: cx.newId(), sled_id: sled.value } : undefined
  const ip_int = usableAddresses(subnet).first + index
  return {
    planned,
    vmm,
    began,
    since,
    instance: {
      id,
      name,
      description: '',
      project_id: project.id,
      ncpus: planned.ncpus,
      memory: planned.memory * GiB,
      hostname: name,
      user_data: '',
      boot_disk_id: disk_id,
      run_state: state,
      time_run_state_updated: since,
      intended_state: state === 'stopped' ? 'stopped' : 'running',
      // Failed instances stay failed, for the operator to see.
      auto_restart_policy: state === 'failed' ? 'never' : null,
      time_last_auto_restarted: wasLost && state === 'running' ? since : null,
      failure: state === 'failed' ? JSON.stringify(sledLost(since)) : null,
      vmm_id: vmm?.id ?? null,
    },
    disk: {
      id: disk_id,
      name: `${name}-boot`,
      description: '',
      project_id: project.id,
      size: planned.disk * GiB,
      block_size: blockSize,
      state: 'attached',
      instance_id: id,
      slot: nextSlot([]),
      snapshot_id: null,
      image_id: null,
      content_id: cx.newId(),
    },
    nic: {
      name: 'net0',
      description: `Default network interface for instance ${name}`,
      instance_id: id,
      vpc_id: vpc.id,
      subnet_id: subnet.id,
      mac_int: allVpcMacs.first + index,
      ip: formatIpv4(ip_int),
      ip_int,
      slot: 0,
      is_primary: true,
      transit_ips: '[]',
    },
  }
}

async function write(
  tx: Change,
  { project, subnet }: ProjectNetwork,
  machines: readonly Machine[],
  lost: string,
): Promise<void> {
  await tx.insertAll(
    'instance',
    machines.map(({ instance }) => instance),
  )
  await tx.insertAll(
    'disk',
    machines.map(({ disk }) => disk),
  )
  await tx.insertAll(
    'network_interface',
    machines.map(({ nic }) => nic),
  )
  for (const { disk } of machines) {
    const { id, content_id, size } = disk
    await makeContentLater(tx, { disk_id: id, content_id, size })
  }
  const running = machines.flatMap(({ vmm, ...machine }) => (vmm ? [{ ...machine, vmm }] : []))
  await startAll(tx, running, subnet)
  await loseAll(
    tx,
    machines.filter(({ planned }) => planned.wasLost),
    lost,
  )
  const sum = (of: readonly Machine[], key: 'ncpus' | 'memory' | 'disk'): number =>
    of.reduce((total, { planned }) => total + planned[key], 0)
  await tx.plain
    .updateTable('provisioning')
    .set((eb) => ({
      cpus: eb('cpus', '+', sum(running, 'ncpus')),
      memory: eb('memory', '+', sum(running, 'memory') * GiB),
      storage: eb('storage', '+', sum(machines, 'disk') * GiB),
    }))
    .where('id', 'in', [project.id, project.silo_id])
    .execute()
}

/** Adds the machines that ended with the lost sled. */
async function loseAll(tx: Change, lost: readonly Machine[], sled_id: string): Promise<void> {
  if (lost.length === 0) return
  const time_gone = new Date(tx.cx.now().getTime() - lostForMs + failedMs)
  await tx.plain
    .insertInto('vmm')
    .values(
      lost.map(({ instance: { id, ncpus, memory }, began }) => ({
        id: tx.cx.newId(),
        sled_id,
        instance_id: id,
        ncpus,
        memory,
        time_created: began,
        time_started: began,
        time_gone,
      })),
    )
    .execute()
}

type Running = Machine & { vmm: { id: string; sled_id: string } }

/** Marks each instance as started long ago. */
async function startAll(tx: Change, running: readonly Running[], subnet: Row<'vpc_subnet'>): Promise<void> {
  await tx.plain
    .insertInto('vmm')
    .values(
      running.map(({ vmm, instance, since }) => ({
        ...vmm,
        instance_id: instance.id,
        ncpus: instance.ncpus,
        memory: instance.memory,
        time_created: since,
        time_started: since,
      })),
    )
    .execute()
  await tx.plain
    .insertInto('simulated_vm')
    .values(
      running.map(({ vmm, instance, since }) => ({
        ...vmm,
        instance_id: instance.id,
        phase: 'running' as const,
        phase_since: since,
        due_at: null,
        by_guest: false,
        reason: null,
      })),
    )
    .execute()
  await tx.plain
    .insertInto('guest')
    .values(
      running.map((machine) => {
        const facts = factsOf(machine, subnet)
        return {
          vmm_id: machine.vmm.id,
          facts: JSON.stringify(facts),
          state: JSON.stringify(powerOn(facts, machine.since)),
          written: 0,
        }
      }),
    )
    .execute()
  const sledIds = new Set(running.map(({ vmm }) => vmm.sled_id))
  for (const sled_id of sledIds) {
    const there = running.filter(({ vmm }) => vmm.sled_id === sled_id)
    const ncpus = there.reduce((total, { planned }) => total + planned.ncpus, 0)
    const memory = there.reduce((total, { planned }) => total + planned.memory, 0) * GiB
    await useSled(tx, sled_id, { ncpus, memory }, 1)
  }
}

const factsOf = ({ instance, disk, nic }: Running, subnet: Row<'vpc_subnet'>): GuestFacts => ({
  instance_id: instance.id,
  name: instance.name,
  hostname: instance.hostname,
  ncpus: instance.ncpus,
  memory: instance.memory,
  disks: [{ name: disk.name, size: disk.size, block_size: blockSize, is_boot: true }],
  interfaces: [
    {
      name: nic.name,
      mac: formatMac(nic.mac_int),
      ip: nic.ip ?? '',
      prefix_length: Number(subnet.ipv4_block.split('/')[1]),
      is_primary: true,
    },
  ],
  os: 'Linux',
  version: '',
  ssh_keys: 0,
})
