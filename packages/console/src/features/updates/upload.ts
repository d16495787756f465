import * as op from '@gantry/api/client/operations.gen'
import { updateUploadPiece } from '@gantry/api/update.rules'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { asFailure, Failure } from '#/data/failure.ts'
import { invalidateOps } from '#/data/queries.ts'
import { sha256, toBase64 } from '#/features/common/bytes.ts'
import { failureText } from '#/features/common/failure-text.ts'
import { lastingCall, untilReachable, withRetries } from '#/features/images/upload/retry.ts'
import { createStore } from '#/store.ts'
import { toast } from '#/ui/toast.ts'
import type { RepositoryUpload } from './queries.ts'

/** The upload of this tab. */
export interface Running {
  id: string
  sent: number
  size: number
}

export const runningUpload = createStore<Running | undefined>(undefined)

const stopping = new AbortController()
/** A release is large, and the server may be restarted meanwhile. */
const patiently = <Result>(work: () => Promise<Result>): Promise<Result> =>
  untilReachable(work, { signal: stopping.signal, waitMs: 2000 })

/** Begins an upload, which continues on every page as long as this tab is open. */
export async function beginUpload(queryClient: QueryClient, file: File): Promise<RepositoryUpload> {
  const { data } = await call(op.updateUploadCreate, { body: { fileName: file.name, size: file.size } })
  void resumeUpload(queryClient, data, file).then((problem) => {
    if (problem !== undefined) toast.error({ title: `The upload of ${file.name} stopped`, text: problem })
  })
  return data
}

/** Sends the missing bytes. Returns the reason if it stops early; the server keeps the received bytes. */
export async function resumeUpload(
  queryClient: QueryClient,
  { id, size }: Pick<RepositoryUpload, 'id' | 'size'>,
  file: File,
): Promise<string | undefined> {
  if (file.size !== size) return 'This is a different file: its size differs.'
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  addEventListener('beforeunload', ask)
  try {
    await patiently(() => sendAll(id, file))
    await patiently(() => lastingCall(op.updateUploadComplete, { path: { uploadId: id } }))
    return undefined
  } catch (error) {
    return failureText(asFailure(error))
  } finally {
    removeEventListener('beforeunload', ask)
    runningUpload.set(undefined)
    await invalidateOps(queryClient, [op.updateUploadList, op.updateRepositoryList])
  }
}

async function sendAll(id: string, file: File): Promise<void> {
  const at = { path: { uploadId: id } }
  let { bytesReceived: sent } = await lastingCall(op.updateUploadView, at)
  runningUpload.set({ id, sent, size: file.size })
  while (sent < file.size) {
    const offset = sent
    await withRetries(() => sendPiece(id, file, offset), stopping.signal)
    // Another tab may have sent this piece, or more.
    const { bytesReceived } = await lastingCall(op.updateUploadView, at)
    if (bytesReceived <= offset)
      throw new Failure({ message: 'The server received no bytes', statusCode: 500 })
    sent = bytesReceived
    runningUpload.set({ id, sent, size: file.size })
  }
}

async function sendPiece(id: string, file: File, offset: number): Promise<void> {
  const piece = file.slice(offset, offset + updateUploadPiece)
  const content = { bytes: piece, sha256: toBase64(await sha256(new Uint8Array(await piece.arrayBuffer()))) }
  try {
    await lastingCall(op.updateUploadWrite, { path: { uploadId: id }, query: { offset } }, { content })
  } catch (error) {
    // The server already has the piece: someone else sends the same file.
    if (!(error instanceof Failure) || error.statusCode !== 409) throw error
  }
}
