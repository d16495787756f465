import type {
  HostUsage,
  MachineUsage,
  MeasuredMachine,
  Measurements,
  UsageColumn,
} from '@gantry/control-plane/fleet/fleet'
import { z } from 'zod'
import { diskNode } from '../machine/disk-devices.ts'
import { CountedLinks } from './counted-links.ts'
import { hostColumns, readLinks, readSensors } from './host-sensors.ts'
import type { Machine } from '../machine/machine.ts'
import type { LinkCounters, MachineNetworks } from '../network/machine-networks.ts'
import { ageOf, processTime, threadTime } from './processes.ts'
import { Readings } from './readings.ts'

const NS_PER_MS = 1_000_000

/** The usage of a machine since its start, as counted by QEMU and the host. */
interface MachineReading {
  /** Nanoseconds. */
  vcpus: { run: number; waiting: number; emulation: number; idle: number }[]
  disks: Map<string, DiskCounters>
}
interface DiskCounters {
  bytes_read: number
  bytes_written: number
  reads: number
  writes: number
  flushes: number
}

const count = z.int().nonnegative()
const cpus = z.array(z.object({ 'cpu-index': z.int(), 'thread-id': z.int() })).max(1024)
const blockStats = z
  .array(
    z.object({
      qdev: z.string().max(1000).optional(),
      stats: z.object({
        rd_bytes: count,
        wr_bytes: count,
        rd_operations: count,
        wr_operations: count,
        flush_operations: count,
      }),
    }),
  )
  .max(1000)

/** Usage of machines, from the host's accounts of their threads and QEMU's of their disks. */
export function qemuMeasurements(
  find: (id: string) => Machine | undefined,
  networks: MachineNetworks,
  hostId: string,
): Measurements {
  const readings = new Readings()
  const counted = new CountedLinks()
  return {
    async machines(machines, times) {
      const at = times.map((time) => time.getTime())
      const links = await networks.counters(machines.flatMap(({ interfaces }) => interfaces))
      const usages = await Promise.all(
        machines.map(async (measured): Promise<[string, MachineUsage] | undefined> => {
          const reading = await readMachine(find(measured.id)).catch(() => undefined)
          if (!reading) return undefined
          return [measured.id, columnsOf(readings, at, measured, reading, links)]
        }),
      )
      readings.forgetOlder(at.at(-1) ?? 0)
      return new Map(usages.filter((usage) => usage !== undefined))
    },

    async hosts(hosts, times) {
      const at = times.map((time) => time.getTime())
      if (!hosts.some(({ id }) => id === hostId)) return new Map<string, HostUsage>()
      const column = readings.at(`host ${hostId}`, at)
      const links = counted.at(at.at(-1) ?? 0, await readLinks())
      return new Map([[hostId, hostColumns({ ...(await readSensors()), links }, column)]])
    },
  }
}

function columnsOf(
  readings: Readings,
  at: readonly number[],
  { id, ncpus, disks, interfaces }: MeasuredMachine,
  reading: MachineReading,
  links: ReadonlyMap<string, LinkCounters>,
): MachineUsage {
  const column = readings.at(id, at)
  const columns = <Counters extends object>(prefix: string, counters: Counters) =>
    Object.fromEntries(
      Object.entries(counters).map(([key, value]) => [key, column(`${prefix} ${key}`, value as number)]),
    ) as Record<keyof Counters, UsageColumn>
  const known = <Counters>(from: ReadonlyMap<string, Counters>, ids: readonly string[]) =>
    ids.flatMap((one) => {
      const counters = from.get(one)
      return counters === undefined ? [] : [{ id: one, counters }]
    })
  return {
    vcpus: reading.vcpus.slice(0, ncpus).map((states, index) => columns(`vcpu ${index}`, states)),
    disks: known(reading.disks, disks).map((disk) => ({ id: disk.id, ...columns(disk.id, disk.counters) })),
    interfaces: known(links, interfaces).map((link) => ({ id: link.id, ...columns(link.id, link.counters) })),
  }
}

async function readMachine(machine: Machine | undefined): Promise<MachineReading | undefined> {
  const reached = await machine?.connect()
  if (!machine || !reached) return undefined
  const { process, qmp } = reached
  const threads = (await qmp.ask(cpus, 'query-cpus-fast'))
    .sort((a, b) => a['cpu-index'] - b['cpu-index'])
    .map((cpu) => cpu['thread-id'])
  const stats = await qmp.ask(blockStats, 'query-blockstats')
  const elapsed = (await ageOf(process)) * NS_PER_MS
  const own = await Promise.all(threads.map((thread) => threadTime(process.pid, thread)))
  const times = own.map((time) => time ?? { run: 0, waiting: 0 })
  // The other threads work for all vCPUs.
  const others = (await processTime(process.pid)) - times.reduce((sum, { run }) => sum + run, 0)
  const emulation = Math.max(0, Math.floor(others / Math.max(1, times.length)))
  return {
    vcpus: times.map(({ run, waiting }) => ({
      run,
      waiting,
      emulation,
      idle: Math.max(0, Math.floor(elapsed - run - waiting - emulation)),
    })),
    disks: new Map(
      machine.disks.flatMap(({ disk: { id }, number }): [string, DiskCounters][] => {
        // QEMU names a virtio disk by a path, and a SATA disk by its id.
        const node = diskNode(number)
        const counters = stats.find(({ qdev }) => qdev === node || qdev?.includes(`/${node}/`))?.stats
        if (!counters) return []
        return [
          [
            id,
            {
              bytes_read: counters.rd_bytes,
              bytes_written: counters.wr_bytes,
              reads: counters.rd_operations,
              writes: counters.wr_operations,
              flushes: counters.flush_operations,
            },
          ],
        ]
      }),
    ),
  }
}
