import fs from 'node:fs/promises'
import path from 'node:path'
import type { Log } from '@gantry/control-plane/environment'
import {
  CannotPlug,
  type MachineDisk,
  type MachineSpec,
  type PlugProgress,
} from '@gantry/control-plane/fleet/fleet'
import { z } from 'zod'
import type { VolumeFiles } from '../volumes/volume-files.ts'
import { BRIDGE, diskBlocks, diskDevice, diskNode } from './disk-devices.ts'
import { inherited } from './launch.ts'
import { plugsFolder } from './machine-folder.ts'
import { sets } from './places.ts'
import { type Qmp, QmpRefusal } from './qmp.ts'
import type { HeldDisk, MachineRecord } from './record.ts'

/*
 * Disks that a machine gets and releases while it runs. Each step begins with what QEMU has: the process that took the step
 * before may have been killed. QEMU inherited a folder at its start, in which the file of a disk is linked while it opens
 * it; its group may then read and write the file.
 */

/** The time for a guest to release a disk before the next call asks again. */
const RELEASE_MS = 1500
const EVERY_MS = 50

/** What of a machine takes part. */
export interface PluggedMachine {
  readonly id: string
  readonly folder: string
  readonly spec: MachineSpec
  readonly record: MachineRecord
  readonly disks: readonly HeldDisk[]
  readonly plugInTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  connect: () => Promise<{ qmp: Qmp } | undefined>
  update: (change: (was: MachineRecord) => MachineRecord) => Promise<void>
}

/** Gives a running machine a disk, or lets it keep one that it was asked to release. */
export const plugDisk = (
  machine: PluggedMachine,
  disk: MachineDisk,
  volumes: VolumeFiles,
): Promise<PlugProgress> =>
  machine.plugInTurn(async (): Promise<PlugProgress> => {
    const reached = await machine.connect()
    if (!reached) return 'ended'
    // A copy of a disk may take hours.
    if (volumes.areTaken([disk.content_id])) return 'pending'
    return volumes.exclusively([disk.content_id], async (): Promise<PlugProgress> => {
      const { qmp } = reached
      const known = machine.disks.find((held) => held.disk.id === disk.id)
      if (!known && !(await devicesOf(qmp)).has(BRIDGE)) throw new CannotPlug('no_bridge')
      const held = known ?? { number: nextNumber(machine), disk, release: null }
      if (!known) await record(machine, [...machine.disks, held])
      else if (known.release === 'asked') await record(machine, releasing(machine, known.number, 'withdrawn'))
      try {
        await give(machine, qmp, held, volumes)
      } catch (error) {
        if (!known && error instanceof QmpRefusal) await takeBack(machine, qmp, held)
        throw error
      }
      return 'done'
    })
  })

/** Asks a guest to release a disk; done once QEMU has closed it. */
export const unplugDisk = (machine: PluggedMachine, diskId: string): Promise<PlugProgress> =>
  machine.plugInTurn(async (): Promise<PlugProgress> => {
    const held = machine.disks.find(({ disk }) => disk.id === diskId)
    const reached = await machine.connect()
    if (!reached) return 'ended'
    if (!held) return 'done'
    const { qmp } = reached
    const device = diskNode(held.number)
    if (held.release !== 'asked') await record(machine, releasing(machine, held.number, 'asked'))
    if ((await devicesOf(qmp)).has(device)) {
      await ask(qmp, device)
      if (!(await isReleased(qmp, device))) return 'pending'
    }
    return (await takeBack(machine, qmp, held)) ? 'done' : 'pending'
  })

/**
 * Gives disks again that a guest has released although that was withdrawn: guests that did not react may do so with their next
 * boot.
 */
export async function returnReleased(
  machine: PluggedMachine,
  qmp: Qmp,
  { volumes, log }: { volumes: VolumeFiles; log: Log },
): Promise<void> {
  if (!machine.record.disks?.some(({ release }) => release === 'withdrawn')) return
  await machine.plugInTurn(async () => {
    const devices = await devicesOf(qmp)
    for (const held of machine.disks)
      if (held.release === 'withdrawn' && !devices.has(diskNode(held.number))) {
        await give(machine, qmp, held, volumes).catch((err: unknown) =>
          log.error({ err, machine: machine.id, disk: held.disk.id }, 'a disk is missing from its machine'),
        )
        await record(machine, releasing(machine, held.number, null))
      }
  })
}

/** Removes links that a killed process left, which takes the right to open the files from the machine again. */
export async function clearPlugs(machine: PluggedMachine): Promise<void> {
  const folder = plugsFolder(machine.folder)
  for (const name of await fs.readdir(folder).catch(() => [])) await unlink(path.join(folder, name))
}

/** Takes the steps that are missing. */
async function give(
  machine: PluggedMachine,
  qmp: Qmp,
  { disk, number }: HeldDisk,
  volumes: VolumeFiles,
): Promise<void> {
  const node = diskNode(number)
  if (!(await nodesOf(qmp)).has(node))
    await linked(
      machine,
      { name: node, file: volumes.file(disk.content_id), isReadOnly: disk.read_only },
      (file) => qmp.run('blockdev-add', diskBlocks(disk, number, file)),
    )
  if (!(await devicesOf(qmp)).has(node))
    await qmp.run('device_add', diskDevice(disk, number, machine.spec.hardware.disk_model))
}

/** Has QEMU close the file of a disk that the guest has released; false while it is in use otherwise. */
async function takeBack(machine: PluggedMachine, qmp: Qmp, { number }: HeldDisk): Promise<boolean> {
  if ((await nodesOf(qmp)).has(diskNode(number))) {
    const isClosed = await unlessRefused(qmp.run('blockdev-del', { 'node-name': diskNode(number) }))
    if (!isClosed) return false
  }
  // A file that it inherited. It has none for disks that it got later.
  await unlessRefused(qmp.run('remove-fd', { 'fdset-id': sets.firstDisk + number }))
  await record(
    machine,
    machine.disks.filter((one) => one.number !== number),
  )
  return true
}

/** Lets the machine open a file by its name in the folder for that. */
export async function linked(
  machine: PluggedMachine,
  { name, file, isReadOnly }: { name: string; file: string; isReadOnly: boolean },
  open: (file: string) => Promise<void>,
): Promise<void> {
  const link = path.join(plugsFolder(machine.folder), name)
  const { user } = machine.record
  await fs.rm(link, { force: true })
  await fs.link(file, link)
  try {
    if (user !== null) {
      await fs.chown(link, process.getuid?.() ?? 0, user)
      await fs.chmod(link, isReadOnly ? 0o640 : 0o660)
    }
    await open(`/proc/self/fd/${inherited.plugs}/${name}`)
  } finally {
    await unlink(link)
  }
}

async function unlink(link: string): Promise<void> {
  await fs.chown(link, process.getuid?.() ?? 0, process.getgid?.() ?? 0)
  await fs.chmod(link, 0o600)
  await fs.rm(link)
}

async function isReleased(qmp: Qmp, device: string): Promise<boolean> {
  for (const until = performance.now() + RELEASE_MS; performance.now() < until;) {
    if (!(await devicesOf(qmp)).has(device)) return true
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
  return false
}

/** Asks a guest to release a device. QEMU refuses to repeat that, which changes nothing. */
async function ask(qmp: Qmp, device: string): Promise<void> {
  try {
    await qmp.run('device_del', { id: device })
  } catch (error) {
    if (!(error instanceof QmpRefusal)) throw error
    if (/does not support hotplugging/.test(error.message)) throw new CannotPlug('fixed')
  }
}

const record = (machine: PluggedMachine, disks: readonly HeldDisk[]): Promise<void> =>
  machine.update((was) => ({ ...was, disks: [...disks] }))

const releasing = (machine: PluggedMachine, number: number, release: HeldDisk['release']): HeldDisk[] =>
  machine.disks.map((one) => (one.number === number ? { ...one, release } : one))

/** Higher than that of any disk that its process may have open, or has inherited. */
const nextNumber = (machine: PluggedMachine): number =>
  Math.max(machine.spec.disks.length - 1, ...machine.disks.map(({ number }) => number)) + 1

const properties = z.array(z.object({ name: z.string() }))
const devicesOf = async (qmp: Qmp): Promise<ReadonlySet<string>> => {
  const found = await qmp.ask(properties, 'qom-list', { path: '/machine/peripheral' })
  return new Set(found.map(({ name }) => name))
}

const nodes = z.array(z.object({ 'node-name': z.string().optional() }))
export const nodesOf = async (qmp: Qmp): Promise<ReadonlySet<string>> => {
  const found = await qmp.ask(nodes, 'query-named-block-nodes', { flat: true })
  return new Set(found.flatMap(({ 'node-name': name }) => name ?? []))
}

/** Whether QEMU did it. */
export const unlessRefused = (run: Promise<void>): Promise<boolean> =>
  run.then(
    () => true,
    (error: unknown) => {
      if (error instanceof QmpRefusal) return false
      throw error
    },
  )
