import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import { type InheritedFiles, machineOf, qemuCommand } from './arguments.ts'
import { confined } from './machine-users.ts'
import type { ControlGroups } from '../host/control-groups.ts'
import type { Engine } from '../engine.ts'
import { endOfQemuLog, lend, openMachineFiles, socketsFolder } from './machine-folder.ts'
import type { MachineSpec } from '@gantry/control-plane/fleet/fleet'
import type { Monitor } from './monitor.ts'
import type { NetworkAttachment } from '../network/machine-networks.ts'
import { identityOf, type ProcessIdentity, runningProcesses, endProcess } from '../host/processes.ts'
import { QmpGone } from './qmp.ts'
import { launchTpm, type RunningTpm, tpmOf } from './tpm.ts'
import type { VolumeFiles } from '../volumes/volume-files.ts'
import { isUnattended } from '#src/database/reach'

/** QEMU did not start; the message includes its output. */
class LaunchFailed extends Error {}

export interface Launch {
  folder: string
  spec: MachineSpec
  user: number | null
  tag: string
  engine: Engine
  groups: ControlGroups
  network: NetworkAttachment
  /** The opened volumes of its disks, in their order; they are closed. */
  disks: readonly FileHandle[]
  /** Opened likewise: the code of UEFI and its variables. */
  firmware: readonly [code: FileHandle, variables: FileHandle] | undefined
  /** Opened likewise: the images in its CD drives. */
  cds: readonly (FileHandle | undefined)[]
  /** The volumes, of which its TPM has one. */
  volumes: VolumeFiles
  monitor: Monitor
}

const CONNECT_MS = 20_000

/** Numbers under which QEMU inherits files; the first three are the standard streams. */
export const inherited = {
  sockets: 3,
  exports: 4,
  serialLog: 5,
  scratch: 6,
  seed: 7,
  plugs: 8,
  firstDisk: 9,
} as const

export const inheritedFiles = (
  disks: number,
  { hasFirmware = false, hasTpm = false, hasCds = [] as readonly boolean[] } = {},
): InheritedFiles => {
  const next = inherited.firstDisk + disks
  let last = next + (hasFirmware ? 2 : 0) + (hasTpm ? 1 : 0)
  return {
    ...inherited,
    disks: Array.from({ length: disks }, (_, index) => inherited.firstDisk + index),
    firmware: hasFirmware ? { code: next, variables: next + 1 } : undefined,
    tpm: hasTpm ? next + (hasFirmware ? 2 : 0) : undefined,
    cds: hasCds.map((has) => (has ? last++ : undefined)),
  }
}

/** The processes of a machine. */
export interface Launched {
  process: ProcessIdentity
  tpm: ProcessIdentity | null
}

/** Starts the QEMU of a machine, with its guest paused, and its TPM. */
export async function launch(one: Launch): Promise<Launched> {
  const sockets = socketsFolder(one.folder)
  try {
    for (const left of await fs.readdir(sockets)) await fs.rm(path.join(sockets, left))
    // Before QEMU runs: on a busy host it may create its sockets before this process runs again.
    return await lend(sockets, one.user, () => start(one))
  } finally {
    for (const file of [...one.disks, ...(one.firmware ?? []), ...one.cds]) await file?.close()
  }
}

async function start(one: Launch): Promise<Launched> {
  const { child, tpm } = await spawned(one)
  const ending = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  try {
    const { pid } = child
    if (pid === undefined) throw new LaunchFailed(`QEMU could not be run: ${await ending}.`)
    // A child remains at least a zombie until this process is notified of its end.
    const process = await identityOf(pid)
    if (!process) throw await failed(one, await ending)
    await one.groups.enter(one.spec, pid)
    if (tpm) await one.groups.enter(one.spec, tpm.pid)
    await connected(one, ending)
    return { process, tpm }
  } catch (error) {
    child.kill('SIGKILL')
    await ending
    if (tpm) await endProcess(tpm)
    await one.monitor.close()
    throw error
  } finally {
    child.unref()
  }
}

async function spawned(one: Launch): Promise<{ child: ChildProcess; tpm: ProcessIdentity | null }> {
  const files = await openMachineFiles(one.folder, one.user)
  const tpm = await tpmFor(one, files.qemuLog.fd).catch(async (error: unknown) => {
    await files.close()
    throw error
  })
  try {
    const words = [
      ...one.network.prefix,
      ...confined({ user: one.user ?? undefined, groups: one.engine.groups }),
      ...qemuCommand({
        spec: one.spec,
        accelerator: one.engine.accelerator,
        tag: one.tag,
        files: inheritedFiles(one.disks.length, {
          hasFirmware: one.firmware !== undefined,
          hasTpm: tpm !== undefined,
          hasCds: one.cds.map((file) => file !== undefined),
        }),
        taps: one.network.taps,
      }),
    ]
    const { sockets, exports, serialLog, scratch, seed, plugs } = files
    const handles = [sockets, exports, serialLog, scratch, seed, plugs, ...one.disks, ...(one.firmware ?? [])]
    // Detached, so that it outlives this process and gets none of its signals.
    const child = spawn(words[0] ?? '', words.slice(1), {
      detached: true,
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' },
      stdio: [
        'ignore',
        files.qemuLog.fd,
        files.qemuLog.fd,
        ...handles.map(({ fd }) => fd),
        ...(tpm ? [tpm.socket] : []),
        ...one.cds.flatMap((file) => file?.fd ?? []),
      ],
    })
    return { child, tpm: tpm?.process ?? null }
  } finally {
    tpm?.socket.destroy()
    await files.close()
  }
}

const tpmFor = async (
  { spec, tag, user, engine, network, volumes }: Launch,
  log: number,
): Promise<RunningTpm | undefined> =>
  spec.hardware.tpm_id === null
    ? undefined
    : launchTpm({
        machineId: spec.id,
        tag,
        user,
        groups: engine.groups,
        prefix: network.prefix,
        volume: spec.hardware.tpm_id,
        volumes,
        log,
      })

const failed = async ({ folder }: Launch, how: string): Promise<LaunchFailed> =>
  new LaunchFailed(`QEMU ended (${how}): ${(await endOfQemuLog(folder)) || 'it said nothing'}`)

const uuid = z.object({ UUID: z.string() })

/** Connects to the monitor as soon as it exists. */
async function connected(one: Launch, ending: Promise<string>): Promise<void> {
  let how: string | undefined
  void ending.then((end) => (how = end))
  for (const until = performance.now() + CONNECT_MS; ;) {
    try {
      const qmp = await one.monitor.connect()
      const { UUID } = await qmp.ask(uuid, 'query-uuid')
      if (UUID === one.spec.id) return
      throw new LaunchFailed(`QEMU runs the machine ${UUID.slice(0, 40)} instead.`)
    } catch (error) {
      if (how !== undefined) throw await failed(one, how)
      if (!isTooEarly(error) || performance.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

const isTooEarly = (error: unknown): boolean => error instanceof QmpGone || isUnattended(error)

/**
 * Ends processes of the installation that belong to no machine: those of unknown machines, and those that a killed server
 * started without recording them.
 */
export async function endStrays(
  tag: string,
  isStray: (machineId: string, pid: number) => boolean,
): Promise<number> {
  let ended = 0
  for await (const { pid, words } of runningProcesses()) {
    const id = machineOf(tag, words) ?? tpmOf(tag, words)
    if (id === undefined || !isStray(id, pid)) continue
    const stray = await identityOf(pid)
    if (!stray) continue
    await endProcess(stray)
    ended++
  }
  return ended
}
