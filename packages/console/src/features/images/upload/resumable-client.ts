import * as op from '@gantry/api/client/operations.gen'
import { toBase64 } from '../../common/base64.ts'
import type { ImageDetails } from './details.ts'
import { sha256 } from './digest.ts'
import { lastingCall, orNothing } from './lasting-call.ts'
import type { ResumableClient } from './resumable-flow.ts'

/** Long, for slow lines: several pieces share one. */
const timeoutMs = 300_000

/** `image` is needed to begin an upload, and not to go on with one. */
export function resumableClient(project: string, size: number, image?: ImageDetails): ResumableClient {
  return {
    create() {
      if (!image) throw new Error('nothing is known of the image')
      return lastingCall(op.imageUploadCreate, { query: { project }, body: { ...image, size } })
    },
    view: (upload, signal) => lastingCall(op.imageUploadView, { path: { upload } }, { signal }),
    async write(upload, offset, bytes, signal) {
      const content = { bytes, sha256: toBase64(await sha256(bytes)) }
      await lastingCall(
        op.imageUploadWrite,
        { path: { upload }, query: { offset } },
        { content, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) },
      )
    },
    zeros: (upload, ranges, signal) =>
      lastingCall(op.imageUploadZeros, { path: { upload }, body: { ranges: [...ranges] } }, { signal }),
    complete: (upload) => lastingCall(op.imageUploadComplete, { path: { upload } }),
    remove: (upload) => orNothing(lastingCall(op.imageUploadDelete, { path: { upload } })),
  }
}
