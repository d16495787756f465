import path from 'node:path'
import { z } from 'zod'
import type { Log } from '@gantry/control-plane/environment'
import type { Machines } from '@gantry/control-plane/fleet/fleet'
import { latestPast } from '@gantry/control-plane/context/time'
import { freeUser, type MachineUsers } from './machine-users.ts'
import { finishedFolders, makeFolder } from '../host/durable-file.ts'
import { keyedTurns } from '../host/keyed-turns.ts'
import { endStrays } from './launch.ts'
import { endAbandonedCopy } from '../volumes/live-copy.ts'
import { Machine, type MachineHost } from './machine.ts'
import { cdsInDrives, setCds } from './cds.ts'
import { clearPlugs, plugDisk, unplugDisk } from './plugs.ts'
import { createMachineFiles } from './machine-folder.ts'
import {
  hasEnded,
  type MachineRecord,
  newRecord,
  readRecord,
  readSpec,
  reporting,
  reportOf,
} from './record.ts'

export interface QemuMachines extends Machines {
  find: (id: string) => Machine | undefined
  each: (visit: (machine: Machine) => void) => void
  /** The machine whose process has the volume open, and the number of the disk in it. */
  userOf: (volume: string) => Promise<{ machine: Machine; disk: number } | undefined>
  repairTimes: () => Promise<void>
  /** Evaluates all machines now. */
  wake: () => void
  close: () => Promise<void>
}

export interface MachinesOn {
  /** Holds a folder for each machine. */
  directory: string
  users: MachineUsers
  host: Omit<MachineHost, 'onReport'>
  offers: Machines['offers']
  onAdded: (machine: Machine) => void
  onRemoved: (id: string) => void
}

/** The machines of an installation, including those that an earlier process started. */
export async function qemuMachines(on: MachinesOn): Promise<QemuMachines> {
  const hints = new Set<() => void>()
  const host: MachineHost = { ...on.host, onReport: () => hints.forEach((hint) => hint()) }
  const { clock, log } = host
  const machines = new Map<string, Machine>()
  /** Those that are being destroyed. */
  const ending = new Map<string, Machine>()
  /** Creating and destroying a machine are sequential. */
  const inTurn = keyedTurns()
  const add = (machine: Machine): void => {
    machines.set(machine.id, machine)
    on.onAdded(machine)
    machine.wake()
  }
  const end = async (machine: Machine): Promise<void> => {
    machines.delete(machine.id)
    ending.set(machine.id, machine)
    await machine.destroy()
    ending.delete(machine.id)
    on.onRemoved(machine.id)
  }
  /** Selected and reserved in one step: two new machines must not get the same user. */
  const taken = new Set<number>()
  const takeUser = (): number | undefined => {
    const used = [...machines.values(), ...ending.values()].flatMap(({ record }) => record.user ?? [])
    const user = freeUser(on.users, new Set([...used, ...taken]))
    if (user !== undefined) taken.add(user)
    return user
  }

  const { found, unreadable } = await foundMachines(on.directory, host, log)
  for (const machine of found) (machine.record.destroyed ? ending : machines).set(machine.id, machine)
  const isStray = (id: string, pid: number): boolean =>
    !unreadable.has(id) && !processesOf((machines.get(id) ?? ending.get(id))?.record).includes(pid)
  const strays = await endStrays(host.tag, isStray)
  if (strays > 0) log.warn({ strays }, 'processes that no machine is known for were ended')
  for (const machine of found.filter(({ record }) => record.destroyed))
    await end(machine).catch((err: unknown) =>
      log.error({ err, machine: machine.id }, 'a machine is not destroyed yet'),
    )
  for (const machine of machines.values()) {
    add(machine)
    // The next copy would end it as well, but may never come.
    void clearPlugs(machine).catch((err: unknown) =>
      log.warn({ err, machine: machine.id }, 'a link to a disk is left in the folder of a machine'),
    )
    void machine
      .copyInTurn(() => endAbandonedCopy(machine))
      .catch((err: unknown) => log.warn({ err, machine: machine.id }, 'a copy of a disk is left in QEMU'))
  }

  return {
    offers: on.offers,

    async ensure(spec) {
      await inTurn([spec.id], async () => {
        if (machines.has(spec.id)) return
        const folder = path.join(on.directory, parseId(spec.id))
        const user = takeUser()
        try {
          const record = newRecord(user, clock())
          await makeFolder(folder, (unfinished) => createMachineFiles(unfinished, spec, record))
          add(new Machine(host, { folder, spec, record }))
        } finally {
          if (user !== undefined) taken.delete(user)
        }
      })
      hints.forEach((hint) => hint())
    },

    async stop(id, deadline) {
      await machines.get(id)?.update((was) => stopping(was, deadline, clock()))
      machines.get(id)?.wake()
    },

    async reboot(id, count) {
      await machines.get(id)?.update((was) => rebooting(was, count, clock()))
      machines.get(id)?.wake()
    },

    async plug(id, disk) {
      const machine = machines.get(id)
      return machine ? plugDisk(machine, disk, host.volumes) : 'ended'
    },

    async unplug(id, diskId) {
      const machine = machines.get(id)
      return machine ? unplugDisk(machine, diskId) : 'ended'
    },

    async setCds(id, cds) {
      const machine = machines.get(id)
      return machine ? setCds(machine, cds, host.cds) : 'ended'
    },

    async cds(id) {
      const machine = machines.get(id)
      return machine && cdsInDrives(machine)
    },

    async disks(id) {
      return machines.get(id)?.disks.map(({ disk }) => disk.id)
    },

    async destroy(ids) {
      await Promise.all(
        ids.map((id) =>
          inTurn([id], async () => {
            const machine = machines.get(id) ?? ending.get(id)
            if (machine) await end(machine)
          }),
        ),
      )
    },

    async states(ids) {
      return new Map(
        ids.flatMap((id) => {
          const machine = machines.get(id)
          return machine ? [[id, reportOf(machine.record)] as const] : []
        }),
      )
    },

    async list(after, limit) {
      const ids = [...machines.keys()].sort()
      return (after === undefined ? ids : ids.filter((id) => id > after)).slice(0, limit)
    },

    async pending(limit) {
      const unacknowledged = [...machines.values()].filter(
        ({ record }) => record.sequence !== record.acknowledged,
      )
      const ids = unacknowledged
        .sort((a, b) => (a.record.changed_at < b.record.changed_at ? -1 : 1))
        .slice(0, limit)
        .map(({ id }) => id)
      return { ids, nextInMs: undefined }
    },

    async acknowledge(reports) {
      await Promise.all(
        [...reports].map(async ([id, { version }]) => {
          const acknowledged = Number(version)
          await machines
            .get(id)
            ?.update((was) => (acknowledged > was.acknowledged ? { ...was, acknowledged } : was))
        }),
      )
    },

    watch(hint, signal) {
      hints.add(hint)
      signal.addEventListener('abort', () => hints.delete(hint))
    },

    find: (id) => machines.get(id),

    each: (visit) => machines.forEach((machine) => visit(machine)),

    wake: () => machines.forEach((machine) => machine.wake()),

    async userOf(volume) {
      for (const machine of [...machines.values(), ...ending.values()]) {
        const held = machine.disks.find(({ disk }) => disk.content_id === volume)
        if (held && (await machine.running())) return { machine, disk: held.number }
      }
      return undefined
    },

    async repairTimes() {
      for (const machine of machines.values()) await machine.update((was) => repaired(was, clock()))
    },

    async close() {
      hints.clear()
      await inTurn([...machines.keys(), ...ending.keys()], async () => {})
      await Promise.all([...machines.values()].map((machine) => machine.close()))
    },
  }
}

const processesOf = (record: MachineRecord | undefined): number[] =>
  [record?.process, record?.tpm].flatMap((one) => one?.pid ?? [])

/** Ids become folder names and words of commands. */
const parseId = (id: string): string => z.uuid().parse(id)

const stopping = (was: MachineRecord, deadline: Date, now: Date): MachineRecord => {
  if (hasEnded(was)) return was
  const asked = was.stop && new Date(was.stop.deadline) <= deadline
  const stop = asked ? was.stop : { asked_at: now.toISOString(), deadline: deadline.toISOString() }
  const next = reporting(was, { state: 'stopping', by_guest: false, reason: null }, now)
  return asked ? next : { ...next, stop }
}

const rebooting = (was: MachineRecord, count: number, now: Date): MachineRecord => {
  if (count <= was.reboots || hasEnded(was) || was.stop || was.leaving || was.end) return was
  // A starting machine boots anyway.
  if (was.state === 'starting') return { ...was, reboots: count }
  const next = reporting(was, { state: 'rebooting', by_guest: false, reason: null }, now)
  return { ...next, reboots: count, reboot: 'asked' }
}

/** A deadline that was set while the clock was ahead keeps its distance from its request. */
export function repaired(was: MachineRecord, now: Date): MachineRecord {
  const past = latestPast(now)
  const askedAt = was.stop && new Date(was.stop.asked_at)
  const isAhead = new Date(was.changed_at) > past
  if (!isAhead && !(askedAt && askedAt > past)) return was
  const changed_at = isAhead ? now.toISOString() : was.changed_at
  if (!was.stop || !askedAt || askedAt <= past) return { ...was, changed_at }
  const left = new Date(was.stop.deadline).getTime() - askedAt.getTime()
  const deadline = new Date(now.getTime() + left).toISOString()
  return { ...was, changed_at, stop: { asked_at: now.toISOString(), deadline } }
}

async function foundMachines(directory: string, host: MachineHost, log: Log) {
  const found: Machine[] = []
  const unreadable = new Set<string>()
  for (const name of await finishedFolders(directory)) {
    const folder = path.join(directory, name)
    try {
      const [spec, record] = [await readSpec(folder), await readRecord(folder)]
      if (spec.id !== name) throw new Error(`The folder ${folder} belongs to the machine ${spec.id}.`)
      found.push(new Machine(host, { folder, spec, record }))
    } catch (err) {
      // No code writes an unreadable one, so an operator must inspect it.
      unreadable.add(name)
      log.error({ err, folder }, 'a machine cannot be read, and is left alone')
    }
  }
  return { found, unreadable }
}
