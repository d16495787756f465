import * as op from '@gantry/api/client/operations.gen'
import { updateUploadPiece } from '@gantry/api/system/update.rules'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { asFailure, Failure } from '#/data/failure.ts'
import { invalidateKinds } from '#/data/queries.ts'
import { sha256, toBase64 } from '#/kit/page/bytes.ts'
import { bytesOf } from '#/kit/inputs/chosen-file.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { lastingCall, untilReachable, withRetries } from '#/features/images/upload/retry.ts'
import { createStore } from '#/store.ts'
import { toast } from '#/ui/overlays/toast.ts'
import type { RepositoryUpload } from './queries.ts'

/** The upload of this tab. */
export interface Running {
  id: string
  sent: number
  /** The server is unreachable; the upload continues once it answers. */
  isWaiting: boolean
  stop: () => void
}

export const runningUpload = createStore<Running | undefined>(undefined)

type Upload = Pick<RepositoryUpload, 'id' | 'fileName' | 'bytesReceived'>

/** Begins an upload, which continues on every page as long as this tab is open. */
export async function beginUpload(queryClient: QueryClient, file: File): Promise<RepositoryUpload> {
  const { data } = await call(op.updateUploadCreate, { body: { fileName: file.name, size: file.size } })
  void resumeUpload(queryClient, data, file)
  return data
}

/** Sends the missing bytes. If it stops early, the server keeps what it has received, and a message says why. */
export async function resumeUpload(queryClient: QueryClient, upload: Upload, file: File): Promise<void> {
  const { id, fileName, bytesReceived } = upload
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Running = { id, sent: bytesReceived, isWaiting: false, stop: () => stopping.abort() }
  const show = (change: Partial<Running>): void => runningUpload.set((running = { ...running, ...change }))
  show({})
  // A release is large, and the server may be restarted meanwhile.
  const lasting = <Result>(work: () => Promise<Result>): Promise<Result> =>
    untilReachable(work, { signal, waitMs: 2000, waiting: (isWaiting) => show({ isWaiting }) })
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  addEventListener('beforeunload', ask)
  try {
    await lasting(() => sendAll(id, file, signal, (sent) => show({ sent, isWaiting: false })))
    await lasting(() => lastingCall(op.updateUploadComplete, { path: { uploadId: id } }, { signal }))
  } catch (error) {
    if (!signal.aborted)
      toast.error({ title: `The upload of ${fileName} stopped`, text: failureText(asFailure(error)) })
  } finally {
    removeEventListener('beforeunload', ask)
    runningUpload.set(undefined)
    await invalidateKinds(queryClient, op.updateUploadComplete.changes ?? [])
  }
}

async function sendAll(
  id: string,
  file: File,
  signal: AbortSignal,
  onSent: (sent: number) => void,
): Promise<void> {
  const view = () => lastingCall(op.updateUploadView, { path: { uploadId: id } }, { signal })
  let { bytesReceived: sent } = await view()
  onSent(sent)
  while (sent < file.size) {
    const offset = sent
    await withRetries(() => sendPiece(id, file, offset, signal), signal)
    // Another tab may have sent this piece, or more.
    const { bytesReceived } = await view()
    if (bytesReceived <= offset)
      throw new Failure({ message: 'The server received no bytes', statusCode: 500 })
    sent = bytesReceived
    onSent(sent)
  }
}

async function sendPiece(id: string, file: File, offset: number, signal: AbortSignal): Promise<void> {
  const piece = file.slice(offset, offset + updateUploadPiece)
  const content = { bytes: piece, sha256: toBase64(await sha256(await bytesOf(piece))) }
  try {
    await lastingCall(
      op.updateUploadWrite,
      { path: { uploadId: id }, query: { offset } },
      { content, signal },
    )
  } catch (error) {
    // The server already has the piece: someone else sends the same file.
    if (!(error instanceof Failure) || error.statusCode !== 409) throw error
  }
}
