import * as op from '@gantry/api/client/operations.gen'
import { toBase64 } from '#/features/common/base64.ts'
import type { ImageDetails } from './details.ts'
import { lastingCall, orUndefined } from './lasting-call.ts'
import type { ReferenceClient } from './reference-flow.ts'

/** A longer request counts as lost. */
const timeoutMs = 30_000

/** Refers to objects by id once known, which every server accepts. */
export function referenceClient(project: string, image: ImageDetails): ReferenceClient {
  const { name, description, os, version, blockSize } = image
  const query = { project }
  return {
    createDisk: (disk) =>
      lastingCall(op.diskCreate, {
        query,
        body: {
          ...disk,
          description: `temporary disk to import image ${name}`,
          diskSource: { type: 'importing_blocks', blockSize },
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
        { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) },
      ),
    stopImport: (disk) => lastingCall(op.diskBulkWriteImportStop, { path: { disk } }),
    finalize: (disk, snapshotName) =>
      lastingCall(op.diskFinalizeImport, { path: { disk }, body: snapshotName ? { snapshotName } : {} }),
    findSnapshot: (snapshot) => orUndefined(lastingCall(op.snapshotView, { path: { snapshot }, query })),
    createImage: (id) =>
      lastingCall(op.imageCreate, {
        query,
        body: { name, description, os, version, source: { type: 'snapshot', id } },
      }),
    deleteSnapshot: (snapshot) => lastingCall(op.snapshotDelete, { path: { snapshot } }),
    deleteDisk: (disk) => lastingCall(op.diskDelete, { path: { disk } }),
  }
}
