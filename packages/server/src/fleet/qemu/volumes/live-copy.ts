import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { unlessMissing, withFile } from '#src/blocks/block-files-io'
import { exportPath, SCRATCH_FILE, SCRATCH_NODE } from '../machine/arguments.ts'
import { diskNode } from '../machine/disk-devices.ts'
import { confined } from '../machine/machine-users.ts'
import { hostCommand } from '../host/host-command.ts'
import { inherited } from '../machine/launch.ts'
import type { Machine } from '../machine/machine.ts'
import { exportsFolder, lend, scratchFile } from '../machine/machine-folder.ts'
import { connectSocket, type Qmp, QmpRefusal } from '../machine/qmp.ts'
import { COPY_MS } from './sparse-files.ts'

/*
 * Copies disks at one point in time while their machine writes to them. From that point on QEMU saves overwritten
 * blocks in the scratch file, of which each disk has a part, and exports the disks as of that point. An unprivileged
 * process reads the exports and writes the copies, which QEMU never has open: a guest that takes QEMU over cannot
 * change snapshots.
 */

const JOB = 'copy'
/** A part of the scratch file, raw and as a disk in the format qcow2. */
const PART = 'scratch-part'
const NODE = 'scratch'
const EXPORT = 'disk'
/** What the format qcow2 needs besides the data: tables of 8 bytes for each cluster of 64 KiB, twice, and a header. */
const roomFor = (size: number): number => {
  const needed = size + Math.ceil(size / 1024) + 16 * 1024 * 1024
  return Math.ceil(needed / 65_536) * 65_536
}
/** Time for QEMU to finish requests of a slow disk. */
const TRIES = 500
const TRY_MS = 20

interface CopiedDisk {
  /** The disk's number in its machine. */
  disk: number
  size: number
  /** An empty file. */
  to: string
}

export interface LiveCopy {
  machine: Machine
  /** All are copied as of the same point in time. */
  disks: readonly CopiedDisk[]
  /** The user of the process that reads the export; undefined for the user of this process. */
  user: number | undefined
  /** Runs work while the guest's file systems are frozen, if they can be. */
  freezing: (work: () => Promise<void>) => Promise<{ wasFrozen: boolean }>
  /** Aborts the copy. */
  signal?: AbortSignal | undefined
}

/** Tells whether the file systems of the guest were frozen at the point in time. */
export async function copyLive(copy: LiveCopy): Promise<{ wasFrozen: boolean }> {
  const { machine, signal } = copy
  signal?.throwIfAborted()
  const reached = await machine.connect()
  if (!reached) throw new Error(`The machine ${machine.id} ended before its disks were copied.`)
  const { qmp } = reached
  await cleanUp(machine, qmp)
  let frozen
  try {
    frozen = await begin(qmp, copy)
    await offer(qmp, copy)
    for (const one of copy.disks) await take(copy, one)
  } catch (error) {
    // A machine that has ended needs no cleaning, and is not the cause.
    await cleanUp(machine, qmp).catch(() => {})
    throw error
  }
  await cleanUp(machine, qmp)
  return frozen
}

/** From here on, the scratch nodes show the disks as they are now: a transaction of QEMU begins all copies at once. */
async function begin(qmp: Qmp, { machine, disks, freezing }: LiveCopy): Promise<{ wasFrozen: boolean }> {
  const rooms = disks.map(({ size }) => roomFor(size))
  await fs.truncate(
    scratchFile(machine.folder),
    rooms.reduce((sum, room) => sum + room, 0),
  )
  let offset = 0
  for (const [at, { disk, size }] of disks.entries()) {
    const room = rooms[at] ?? 0
    // Each part opens the file anew: its size is read then, and two nodes cannot share one that may be resized.
    const file = { driver: 'file', filename: SCRATCH_FILE, locking: 'off' }
    await qmp.run('blockdev-add', { driver: 'raw', 'node-name': `${PART}${disk}`, offset, size: room, file })
    offset += room
    const job = `${JOB}${disk}`
    const options = { driver: 'qcow2', file: `${PART}${disk}`, size }
    await qmp.run('blockdev-create', { 'job-id': job, options })
    await untilDone(qmp, job)
    await qmp.run('blockdev-add', {
      driver: 'qcow2',
      'node-name': `${NODE}${disk}`,
      file: `${PART}${disk}`,
      backing: diskNode(disk),
    })
  }
  const actions = disks.map(({ disk }) => ({
    type: 'blockdev-backup',
    data: { 'job-id': `${JOB}${disk}`, device: diskNode(disk), target: `${NODE}${disk}`, sync: 'none' },
  }))
  return freezing(() => qmp.run('transaction', { actions }))
}

/** Exports them through a socket in a folder that QEMU can write to only here. */
async function offer(qmp: Qmp, { machine, disks }: LiveCopy): Promise<void> {
  const folder = exportsFolder(machine.folder)
  const socket = exportPath(inherited)
  await lend(folder, machine.record.user, () =>
    qmp.run('nbd-server-start', { addr: { type: 'unix', data: { path: socket } }, 'max-connections': 1 }),
  )
  // A link would lead this process to another program's socket.
  const found = await fs.lstat(path.join(folder, 'nbd'))
  if (!found.isSocket()) throw new Error(`The machine ${machine.id} created something other than a socket.`)
  for (const { disk } of disks) {
    const name = `${EXPORT}${disk}`
    await qmp.run('block-export-add', { type: 'nbd', id: name, 'node-name': `${NODE}${disk}`, name })
  }
}

async function take({ machine, user, signal }: LiveCopy, { disk, to, size }: CopiedDisk): Promise<void> {
  const socket = await connectSocket(exportsFolder(machine.folder), 'nbd', { isPaused: true })
  try {
    await fs.truncate(to, size)
    await lend(to, user ?? null, () =>
      withFile(to, 'r+', to, (file) =>
        hostCommand(
          [
            ...confined({ user, endsWithThisProcess: true }),
            ...'qemu-img convert -n --target-is-zero -O raw --image-opts'.split(' '),
            `driver=nbd,server.type=fd,server.str=3,export=${EXPORT}${disk}`,
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
async function untilDone(qmp: Qmp, id: string): Promise<void> {
  const job = await until(async () =>
    (await qmp.ask(jobs, 'query-jobs')).find((one) => one.id === id && one.status === 'concluded'),
  )
  await qmp.run('job-dismiss', { id })
  if (job.error !== undefined) throw new Error(`QEMU could not prepare the copy of a disk: ${job.error}`)
}

/** Removes the remnants of a copy in QEMU, also of one that a killed server began. */
async function cleanUp(machine: Machine, qmp: Qmp): Promise<void> {
  await unlessRefused(qmp.run('nbd-server-stop'))
  await until(async () => {
    const left = (await qmp.ask(jobs, 'query-jobs')).filter(({ id }) => id.startsWith(JOB))
    for (const { id, status } of left)
      await unlessRefused(qmp.run(status === 'concluded' ? 'job-dismiss' : 'job-cancel', { id }))
    return left.length === 0 || undefined
  })
  await until(async () => {
    const all = await qmp.ask(nodes, 'query-named-block-nodes', { flat: true })
    const left = all.flatMap(({ 'node-name': name }) => (name !== undefined && isOurs(name) ? [name] : []))
    // A part is in use until its disk is gone.
    for (const name of left.toSorted((one) => (one.startsWith(PART) ? 1 : -1)))
      await unlessRefused(qmp.run('blockdev-del', { 'node-name': name }))
    return left.length === 0 || undefined
  })
  await fs.truncate(scratchFile(machine.folder), 0)
  await fs.rm(path.join(exportsFolder(machine.folder), 'nbd'), { force: true })
}

/** Also the node of a copy that an earlier version began, whose name has no number. */
const isOurs = (node: string): boolean => node !== SCRATCH_NODE && node.startsWith(NODE)

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
