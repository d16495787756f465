import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { unlessMissing, withFile } from '#src/blocks/block-files-io'
import { diskNode, exportPath, SCRATCH_NODE } from '../machine/arguments.ts'
import { confined } from '../machine/machine-users.ts'
import { hostCommand } from '../host/host-command.ts'
import { inheritedFiles } from '../machine/launch.ts'
import type { Machine } from '../machine/machine.ts'
import { exportsFolder, lend, scratchFile } from '../machine/machine-folder.ts'
import { connectSocket, type Qmp, QmpRefusal } from '../machine/qmp.ts'
import { COPY_MS } from './sparse-files.ts'

/*
 * Copies a disk at one point in time while its machine writes to it. From that point on QEMU saves overwritten
 * blocks in the scratch file, and exports the disk as of that point. An unprivileged process reads the export and
 * writes the copy, which QEMU never has open: a guest that takes QEMU over cannot change snapshots.
 */

const JOB = 'copy'
/** The scratch file as a disk in the format qcow2. */
const NODE = 'scratch'
const EXPORT = 'disk'
/** Time for QEMU to finish requests of a slow disk. */
const TRIES = 500
const TRY_MS = 20

export interface LiveCopy {
  machine: Machine
  /** The disk's index. */
  disk: number
  size: number
  /** An empty file. */
  to: string
  /** The user of the process that reads the export; undefined for the user of this process. */
  user: number | undefined
  /** Aborts the copy. */
  signal?: AbortSignal | undefined
}

export async function copyLive(copy: LiveCopy): Promise<void> {
  const { machine, signal } = copy
  signal?.throwIfAborted()
  const reached = await machine.connect()
  if (!reached) throw new Error(`The machine ${machine.id} ended before its disk was copied.`)
  const { qmp } = reached
  await cleanUp(machine, qmp)
  try {
    await freeze(qmp, copy)
    await offer(machine, qmp)
    await take(copy)
  } catch (error) {
    // A machine that has ended needs no cleaning, and is not the cause.
    await cleanUp(machine, qmp).catch(() => {})
    throw error
  }
  await cleanUp(machine, qmp)
}

/** From here on, the scratch node shows the disk as it is now. */
async function freeze(qmp: Qmp, { disk, size }: LiveCopy): Promise<void> {
  await qmp.run('blockdev-create', { 'job-id': JOB, options: { driver: 'qcow2', file: SCRATCH_NODE, size } })
  await untilDone(qmp)
  const node = diskNode(disk)
  await qmp.run('blockdev-add', { driver: 'qcow2', 'node-name': NODE, file: SCRATCH_NODE, backing: node })
  await qmp.run('blockdev-backup', { 'job-id': JOB, device: node, target: NODE, sync: 'none' })
}

/** Exports it through a socket in a folder that QEMU can write to only here. */
async function offer(machine: Machine, qmp: Qmp): Promise<void> {
  const folder = exportsFolder(machine.folder)
  const socket = exportPath(inheritedFiles(machine.spec.disks.length))
  await lend(folder, machine.record.user, () =>
    qmp.run('nbd-server-start', { addr: { type: 'unix', data: { path: socket } }, 'max-connections': 1 }),
  )
  // A link would lead this process to another program's socket.
  const found = await fs.lstat(path.join(folder, 'nbd'))
  if (!found.isSocket()) throw new Error(`The machine ${machine.id} created something other than a socket.`)
  await qmp.run('block-export-add', { type: 'nbd', id: EXPORT, 'node-name': NODE, name: EXPORT })
}

async function take({ machine, to, user, size, signal }: LiveCopy): Promise<void> {
  const socket = await connectSocket(exportsFolder(machine.folder), 'nbd', { isPaused: true })
  try {
    await fs.truncate(to, size)
    await lend(to, user ?? null, () =>
      withFile(to, 'r+', to, (file) =>
        hostCommand(
          [
            ...confined({ user, endsWithThisProcess: true }),
            ...'qemu-img convert -n --target-is-zero -O raw --image-opts'.split(' '),
            `driver=nbd,server.type=fd,server.str=3,export=${EXPORT}`,
            '/proc/self/fd/4',
          ],
          { deadlineMs: COPY_MS, inherits: [socket, file.fd], signal },
        ),
      ),
    )
  } finally {
    socket.destroy()
  }
}

/** Ends a copy that a killed server left in QEMU, which keeps what the guest overwrites. */
export async function endAbandonedCopy(machine: Machine): Promise<void> {
  const scratch = await unlessMissing(fs.stat(scratchFile(machine.folder)))
  if (!scratch || scratch.size === 0) return
  const reached = await machine.connect()
  if (reached) await cleanUp(machine, reached.qmp)
}

const jobs = z.array(
  z.object({ id: z.string(), status: z.string(), error: z.string().max(10_000).optional() }),
)
const nodes = z.array(z.object({ 'node-name': z.string().optional() }))

/** Waits for the job, and throws its error. */
async function untilDone(qmp: Qmp): Promise<void> {
  const job = await until(async () =>
    (await qmp.ask(jobs, 'query-jobs')).find(({ id, status }) => id === JOB && status === 'concluded'),
  )
  await qmp.run('job-dismiss', { id: JOB })
  if (job.error !== undefined) throw new Error(`QEMU could not prepare the copy of a disk: ${job.error}`)
}

/** Removes the remnants of a copy in QEMU, also of one that a killed server began. */
async function cleanUp(machine: Machine, qmp: Qmp): Promise<void> {
  await unlessRefused(qmp.run('nbd-server-stop'))
  await until(async () => {
    const left = (await qmp.ask(jobs, 'query-jobs')).find(({ id }) => id === JOB)
    if (!left) return true
    await unlessRefused(
      left.status === 'concluded' ? qmp.run('job-dismiss', { id: JOB }) : qmp.run('job-cancel', { id: JOB }),
    )
    return undefined
  })
  await until(async () => {
    const left = await qmp.ask(nodes, 'query-named-block-nodes', { flat: true })
    if (!left.some((one) => one['node-name'] === NODE)) return true
    await unlessRefused(qmp.run('blockdev-del', { 'node-name': NODE }))
    return undefined
  })
  await fs.truncate(scratchFile(machine.folder), 0)
  await fs.rm(path.join(exportsFolder(machine.folder), 'nbd'), { force: true })
}

/** Ignores a missing object, and retries while it is in use. */
const unlessRefused = (run: Promise<unknown>): Promise<unknown> =>
  run.catch((error: unknown) => {
    if (!(error instanceof QmpRefusal)) throw error
  })

async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (let tries = 0; tries < TRIES; tries++) {
    const value = await look()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, TRY_MS))
  }
  throw new Error('QEMU does not finish a request.')
}
