import * as op from '@gantry/api/client/operations.gen'
import { toBase64 } from '#/features/common/base64.ts'
import type { ImageDetails } from './details.ts'
import { sha256 } from './digest.ts'
import { lastingCall, orUndefined } from './lasting-call.ts'
import type { ResumableClient } from './resumable-flow.ts'
import type { Source } from './source.ts'

/** Long enough for slow connections shared by several pieces. */
const timeoutMs = 300_000

/** `image` is needed to begin an upload, not to resume one. */
export function resumableClient(project: string, source: Source, image?: ImageDetails): ResumableClient {
  return {
    create() {
      if (!image) throw new Error('nothing is known of the image')
      return lastingCall(op.imageUploadCreate, { query: { project }, body: { ...image, size: source.size } })
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
        { content, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) },
      )
    },
    zeros: (upload, ranges, signal) =>
      lastingCall(op.imageUploadZeros, { path: { upload }, body: { ranges: [...ranges] } }, { signal }),
    complete: (upload) => lastingCall(op.imageUploadComplete, { path: { upload } }),
    remove: (upload) => orUndefined(lastingCall(op.imageUploadDelete, { path: { upload } })),
  }
}
