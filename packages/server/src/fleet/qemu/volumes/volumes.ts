import fs from 'node:fs/promises'
import type { VolumeCopy, Volumes } from '@gantry/control-plane/fleet/fleet'
import { haveAll } from '@gantry/control-plane/fleet/simulated/volumes'
import type { FileBlocks } from '#src/blocks/blocks-files'
import { cloneFile } from '#src/blocks/block-files-io'
import { pathsIn } from '#src/blocks/block-paths'
import type { FreeSpace } from '#src/space/free-space'
import { explainFull } from '#src/space/full-volume'
import { copyLive } from './live-copy.ts'
import { diskNode } from '../machine/disk-devices.ts'
import type { Machine } from '../machine/machine.ts'
import { chunksIn, copySparse, finishFile } from './sparse-files.ts'
import { MissingVolume, type VolumeFiles } from './volume-files.ts'

export interface QemuVolumes extends Volumes {
  /** Runs work with a folder that holds the volume's bytes at one point in time, and the written chunks of its first `size` bytes. */
  withCopy: <Result>(
    id: string,
    size: number | undefined,
    work: (folder: string, copied: { size: number; written: Uint8Array }) => Promise<Result>,
    signal?: AbortSignal,
  ) => Promise<Result>
}

/** A volume and the file of its copy. */
interface Copied {
  id: string
  to: string
}

interface DiskInUse {
  machine: Machine
  /** The number of the disk in it. */
  disk: number
}

export interface VolumesOn {
  files: VolumeFiles
  blocks: FileBlocks
  space: FreeSpace
  /** The machine whose process has the volume open. */
  userOf: (volume: string) => Promise<DiskInUse | undefined>
  /** Runs work while the file systems of a machine's guest are frozen, if they can be. */
  freezing: (machine: Machine, work: () => Promise<void>) => Promise<{ wasFrozen: boolean }>
  /** The user that reads exports of machines; undefined for the user of this process. */
  copyingUser: number | undefined
}

/** The time for a machine's process to end, which syncs its disks and is killed after five seconds. */
const END_MS = 10_000

/** Volumes as files; their snapshots go to the block store on the same file system. */
export function qemuVolumes({ files, blocks, space, userOf, freezing, copyingUser }: VolumesOn): QemuVolumes {
  /** Bytes that a copy takes. */
  const bytesOf = async (id: string): Promise<number> => {
    if (blocks.sharesBlocks) return 0
    const bytes = await files.occupied(id)
    if (bytes === undefined) throw new MissingVolume(id)
    return bytes
  }
  const taking = <Result>(bytes: number, work: () => Promise<Result>): Promise<Result> =>
    space.taking(bytes, work).catch((error: unknown) => {
      throw explainFull(error)
    })

  async function sizeOf(id: string): Promise<number> {
    const size = await files.size(id)
    if (size === undefined) throw new MissingVolume(id)
    return size
  }

  /** Copies a volume that no machine has open; false if one has. */
  const copyUnused = (id: string, to: string, signal?: AbortSignal): Promise<boolean> =>
    files.exclusively([id], async () => {
      if (await userOf(id)) return false
      await copySparse(files.file(id), to, signal)
      return true
    })

  async function copyUsed(id: string, to: string, signal?: AbortSignal): Promise<void> {
    const user = await userOf(id)
    if (!user) throw new Error(`The machine of the volume ${id} ended while its copy began.`)
    const { machine, disk } = user
    await fs.writeFile(to, '', { mode: 0o600 })
    await machine
      .copyInTurn(async () => {
        // In its turn: until then, the disk may grow.
        const size = await sizeOf(id)
        await copyLive({
          machine,
          disks: [{ disk, size, to }],
          user: copyingUser,
          freezing: (work) => freezing(machine, work),
          signal,
        })
      })
      .catch((cause: unknown) => {
        const held = machine.disks.find(({ number }) => number === disk)
        throw new Error(`The disk ${held?.disk.name} of ${machine.spec.name}: ${(cause as Error).message}`, {
          cause,
        })
      })
  }

  /** Copies a volume at one point in time to a file, by the cheapest way that its state allows. */
  async function copy(id: string, to: string, signal?: AbortSignal): Promise<void> {
    // Atomic with regard to writes (`man 2 ioctl_ficlone`), so the machine is not involved.
    if (blocks.sharesBlocks) return cloneFile(files.file(id), to)
    if (await copyUnused(id, to, signal)) return
    await copyUsed(id, to, signal).catch(async (error: unknown) => {
      // Its machine was stopped meanwhile: the copy starts over, as of now.
      if ((await isUnusedSoon(id, signal)) && (await copyUnused(id, to, signal))) return
      throw error
    })
  }

  /** Copies volumes at the same point in time: no machine has them open, or one and the same has. */
  async function copyTogether(
    copies: readonly Copied[],
    signal?: AbortSignal,
  ): Promise<{ wasFrozen: boolean }> {
    const ids = copies.map(({ id }) => id)
    const isCopied = await files.exclusively(ids, async () => {
      for (const id of ids) if (await userOf(id)) return false
      for (const { id, to } of copies) await copySparse(files.file(id), to, signal)
      return true
    })
    if (isCopied) return { wasFrozen: false }
    const users = await Promise.all(ids.map((id) => userOf(id)))
    const [first] = users
    if (!first || users.some((user) => user?.machine.id !== first.machine.id))
      throw new Error('The disks are not all of one machine, or it began or ended while their copies began.')
    const { machine } = first
    for (const { to } of copies) await fs.writeFile(to, '', { mode: 0o600 })
    return machine.copyInTurn(async () => {
      const disks = await Promise.all(
        copies.map(async ({ id, to }, at) => ({ disk: users[at]?.disk ?? -1, size: await sizeOf(id), to })),
      )
      return copyLive({
        machine,
        disks,
        user: copyingUser,
        freezing: (work) => freezing(machine, work),
        signal,
      })
    })
  }

  /** Adopts the copies once all are complete. Each is in a folder of its own, which this enters one after another. */
  async function takeTogether(
    copies: readonly VolumeCopy[],
    taken: readonly (Copied & { folder: string })[],
    signal?: AbortSignal,
  ): Promise<{ wasFrozen: boolean }> {
    const next = copies[taken.length]
    if (next)
      return files.inUnfinished((folder) =>
        takeTogether(copies, [...taken, { id: next.from, to: pathsIn(folder).data, folder }], signal),
      )
    const frozen = await copyTogether(taken, signal)
    const written = await Promise.all(taken.map(({ to }, at) => chunksIn(to, copies[at]?.size ?? 0, signal)))
    for (const [at, { content_id, size }] of copies.entries())
      await blocks.adopt(content_id, taken[at]?.folder ?? '', {
        size,
        written: written[at] ?? new Uint8Array(),
      })
    return frozen
  }

  /** The copy of a machine that is being stopped ends before its process does. */
  async function isUnusedSoon(id: string, signal?: AbortSignal): Promise<boolean> {
    const until = performance.now() + END_MS
    while (await userOf(id)) {
      signal?.throwIfAborted()
      if (performance.now() > until) return false
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return true
  }

  const withCopy: QemuVolumes['withCopy'] = async (id, size, work, signal) => {
    await sizeOf(id)
    return taking(await bytesOf(id), () =>
      files.inUnfinished(async (folder) => {
        const { data } = pathsIn(folder)
        await copy(id, data, signal)
        const bytes = size ?? (await fs.stat(data)).size
        return work(folder, { size: bytes, written: await chunksIn(data, bytes, signal) })
      }),
    )
  }

  /** QEMU changes the size of its file itself, and tells the guest. A copy keeps its disk from being resized. */
  const growLive = (id: string, { machine, disk }: DiskInUse, size: number): Promise<void> =>
    machine.copyInTurn(async () => {
      const reached = await machine.connect()
      if (!reached) throw new Error(`The machine ${machine.id} ended before its disk grew.`)
      if ((await sizeOf(id)) < size)
        await reached.qmp.run('block_resize', { 'node-name': diskNode(disk), size })
    })

  return {
    withCopy,

    async create(id, size, from, signal) {
      if ((await files.size(id)) !== undefined) return
      if (from === undefined)
        return void (await taking(0, () => files.make(id, size, (file) => fs.writeFile(file, ''))))
      const source = await blocks.source(from)
      await taking(blocks.sharesBlocks ? 0 : source.written, () =>
        files.make(id, size, (file) => copySparse(source.file, file, signal)),
      )
    },

    size: (id) => files.size(id),
    occupied: (id) => files.occupied(id),

    grow: (id, size) =>
      files.exclusively([id], async () => {
        const user = await userOf(id)
        if (user) return growLive(id, user, size)
        if ((await sizeOf(id)) < size) await finishFile(files.file(id), size)
      }),

    write: (id, offset, bytes) => taking(bytes.length, () => files.write(id, offset, bytes)),

    async snapshot(id, { content_id, size }, signal) {
      if ((await blocks.size(content_id)) !== undefined) return
      await withCopy(id, size, (folder, copied) => blocks.adopt(content_id, folder, copied), signal)
    },

    async snapshotTogether(copies, { signal } = {}) {
      // Nothing tells of those that an earlier process made.
      if (await haveAll(blocks, copies)) return { wasFrozen: false }
      for (const { content_id } of copies) await blocks.remove(content_id)
      let bytes = 0
      for (const { from } of copies) {
        await sizeOf(from)
        bytes += await bytesOf(from)
      }
      return taking(bytes, () => takeTogether(copies, [], signal))
    },

    growsLive: true,
    snapshotsLive: true,

    needRoomFor: async (id) => space.taking(await bytesOf(id), async () => {}),

    remove: (id) => files.remove(id),
  }
}
