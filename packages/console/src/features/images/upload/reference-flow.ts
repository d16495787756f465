import { GiB } from '@gantry/api/base/bytes.rules'
import { bulkWriteMaxBytes } from '@gantry/api/storage/disk.rules'
import type { Flow, FlowRun } from './flow.ts'
import { inParallel } from '#/data/in-parallel.ts'
import { isZero, piecesOf, type Source } from './source.ts'
import { withRetries } from './retry.ts'

type DiskState = 'import_ready' | 'importing_from_bulk_writes' | (string & {})

/** The calls of the reference API that an upload consists of. A deleted disk or snapshot is undefined. */
export interface ReferenceClient {
  createDisk: (disk: { name: string; size: number }) => Promise<{ id: string }>
  findDisk: (name: string) => Promise<{ id: string; state: DiskState } | undefined>
  startImport: (disk: string) => Promise<unknown>
  write: (disk: string, offset: number, bytes: Uint8Array, signal: AbortSignal) => Promise<unknown>
  stopImport: (disk: string) => Promise<unknown>
  finalize: (disk: string, snapshotName?: string) => Promise<unknown>
  findSnapshot: (name: string) => Promise<{ id: string } | undefined>
  createImage: (snapshot: string) => Promise<unknown>
  deleteSnapshot: (snapshot: string) => Promise<unknown>
  deleteDisk: (disk: string) => Promise<unknown>
}

const labels = [
  'Create temporary disk',
  'Put disk in import mode',
  'Upload image file',
  'Get disk out of import mode',
  'Finalize disk and create snapshot',
  'Create image',
  'Delete disk and snapshot',
  'Image uploaded successfully',
] as const

const concurrency = 6

interface Options {
  client: ReferenceClient
  source: Source
  /** Below one hundred million, for unused names. */
  randomNumber: () => number
}

/** Uploads through a temporary disk and its snapshot, which every server supports (console reference, B 13.4). */
export function referenceFlow({ client, source, randomNumber }: Options): Flow {
  const diskName = `tmp-for-image-${randomNumber()}`
  const snapshotName = `tmp-snapshot-${randomNumber()}`

  async function send(disk: string, { control, progress }: FlowRun): Promise<void> {
    let done = 0
    const pieces = piecesOf([{ offset: 0, length: source.size }], bulkWriteMaxBytes)
    await inParallel(pieces, concurrency, control.signal, async (piece, signal) => {
      const bytes = await source.read(piece)
      // A new disk is all zeros.
      if (!isZero(bytes)) await withRetries(() => client.write(disk, piece.offset, bytes, signal), signal)
      source.release(bytes)
      done += piece.length
      progress(done)
    })
  }

  async function run(cx: FlowRun): Promise<void> {
    const size = Math.ceil(source.size / GiB) * GiB
    const disk = await cx.step(0, () => client.createDisk({ name: diskName, size }))
    await cx.step(1, () => client.startImport(disk.id))
    await cx.step(2, () => send(disk.id, cx))
    await cx.step(3, () => client.stopImport(disk.id))
    const snapshot = await cx.step(4, async () => {
      await client.finalize(disk.id, snapshotName)
      const found = await client.findSnapshot(snapshotName)
      if (!found) throw new Error('the snapshot of the finalized disk is not there')
      return found
    })
    await cx.step(5, () => client.createImage(snapshot.id))
    await cx.step(6, async () => {
      await client.deleteSnapshot(snapshot.id)
      await client.deleteDisk(disk.id)
    })
  }

  /** Looks objects up by name, because the answer of a create may have been lost. */
  async function cleanUp(): Promise<void> {
    const snapshot = await client.findSnapshot(snapshotName)
    if (snapshot) await client.deleteSnapshot(snapshot.id)
    const disk = await client.findDisk(diskName)
    if (!disk) return
    const isImporting = disk.state === 'importing_from_bulk_writes'
    if (isImporting) await client.stopImport(disk.id)
    if (isImporting || disk.state === 'import_ready') await client.finalize(disk.id)
    await client.deleteDisk(disk.id)
  }

  return {
    labels,
    bytesStep: 2,
    // The cleanup does not delete the image.
    finalStep: 5,
    isResumable: false,
    uploadId: () => undefined,
    run,
    cleanUp,
    describeLeftover: () => `the temporary disk ${diskName} and, if created, its snapshot ${snapshotName}`,
  }
}
