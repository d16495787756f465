import * as op from '@gantry/api/client/operations.gen'
import type { BlockSize } from '@gantry/api/storage/disk.rules'
import type { ImageFormat } from '@gantry/api/storage/image-format.rules'
import type { Send } from '#/data/client.ts'
import { Failure } from '#/data/failure.ts'
import { sha256, toBase64 } from '#/kit/page/bytes.ts'
import type { ReferenceClient } from './reference-flow.ts'
import type { ResumableClient } from './resumable-flow.ts'
import { backendOf } from '#/data/disk-backend.ts'
import { lastingCall } from './retry.ts'
import type { Source } from './source.ts'

/** The metadata of an uploaded image. */
export interface ImageDetails {
  name: string
  description: string
  os: string
  version: string
  blockSize: BlockSize
  /** The declared format; all but raw files are converted. */
  format: ImageFormat
}

/** Long enough for slow connections shared by several pieces. */
const pieceTimeoutMs = 300_000

/** `send` adds the tags of the new image. `image` is needed to begin an upload, not to resume one. */
export function resumableClient(
  project: string,
  source: Source,
  image?: ImageDetails,
  send?: Send,
): ResumableClient {
  return {
    create() {
      if (!image) throw new Error('nothing is known of the image')
      const body = { ...image, size: source.size }
      return lastingCall(op.imageUploadCreate, { query: { project }, body }, {}, send)
    },
    view: (upload, signal) => lastingCall(op.imageUploadView, { path: { upload } }, { signal }),
    async write(upload, offset, bytes, signal) {
      // A slice of the file itself: the browser would copy bytes and release the copies late.
      const content = {
        bytes: source.part({ offset, length: bytes.length }),
        sha256: toBase64(await sha256(bytes)),
      }
      await lastingCall(
        op.imageUploadWrite,
        { path: { upload }, query: { offset } },
        { content, signal, timeoutMs: pieceTimeoutMs },
      )
    },
    zeros: (upload, ranges, signal) =>
      lastingCall(op.imageUploadZeros, { path: { upload }, body: { ranges: [...ranges] } }, { signal }),
    complete: (upload) => lastingCall(op.imageUploadComplete, { path: { upload } }),
    remove: (upload) => orUndefined(lastingCall(op.imageUploadDelete, { path: { upload } })),
  }
}

/** A longer request counts as lost. */
const blockTimeoutMs = 30_000

/** Refers to objects by id once known, which every server accepts. */
export function referenceClient(project: string, image: ImageDetails, send?: Send): ReferenceClient {
  const { name, description, os, version, blockSize } = image
  const query = { project }
  return {
    createDisk: (disk) =>
      lastingCall(op.diskCreate, {
        query,
        body: {
          ...disk,
          description: `temporary disk to import image ${name}`,
          diskBackend: backendOf({ type: 'importing_blocks', blockSize }),
        },
      }),
    async findDisk(disk) {
      const found = await orUndefined(lastingCall(op.diskView, { path: { disk }, query }))
      return found && { id: found.id, state: found.state.state }
    },
    startImport: (disk) => lastingCall(op.diskBulkWriteImportStart, { path: { disk } }),
    write: (disk, offset, bytes, signal) =>
      lastingCall(
        op.diskBulkWriteImport,
        { path: { disk }, body: { offset, base64EncodedData: toBase64(bytes) } },
        { signal, timeoutMs: blockTimeoutMs },
      ),
    stopImport: (disk) => lastingCall(op.diskBulkWriteImportStop, { path: { disk } }),
    finalize: (disk, snapshotName) =>
      lastingCall(op.diskFinalizeImport, { path: { disk }, body: snapshotName ? { snapshotName } : {} }),
    findSnapshot: (snapshot) => orUndefined(lastingCall(op.snapshotView, { path: { snapshot }, query })),
    createImage: (id) =>
      lastingCall(
        op.imageCreate,
        { query, body: { name, description, os, version, source: { type: 'snapshot', id } } },
        {},
        send,
      ),
    deleteSnapshot: (snapshot) => lastingCall(op.snapshotDelete, { path: { snapshot } }),
    deleteDisk: (disk) => lastingCall(op.diskDelete, { path: { disk } }),
  }
}

/** Undefined if the object does not exist. */
async function orUndefined<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result
  } catch (error) {
    if (error instanceof Failure && error.statusCode === 404) return undefined
    throw error
  }
}
