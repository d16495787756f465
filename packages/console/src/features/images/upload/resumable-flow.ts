import {
  type ByteRange,
  imageUploadPiece,
  mergeRanges,
  missingRanges,
} from '@gantry/api/storage/image-upload.rules'
import { Failure } from '#/data/failure.ts'
import type { Flow, FlowRun } from './flow.ts'
import { inParallel } from '#/data/in-parallel.ts'
import { bytesIn, isZero, piecesOf, type Source } from './source.ts'
import { sleep, untilReachable, withRetries } from './retry.ts'

/** The state of an upload on the server. */
export interface ServerUpload {
  id: string
  state: 'open' | 'fetching' | 'copying' | 'converting' | 'completing' | 'done' | 'failed' | 'expired'
  received: readonly ByteRange[]
  percentConverted?: number | null | undefined
  failure?: { message: string; nextStep: string } | null | undefined
}

export interface ResumableClient {
  create: () => Promise<ServerUpload>
  view: (id: string, signal: AbortSignal) => Promise<ServerUpload>
  write: (id: string, offset: number, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<unknown>
  zeros: (id: string, ranges: readonly ByteRange[], signal: AbortSignal) => Promise<unknown>
  complete: (id: string) => Promise<ServerUpload>
  remove: (id: string) => Promise<unknown>
}

const labelsWith = (third: string): readonly string[] => [
  'Begin upload',
  'Upload image file',
  third,
  'Image uploaded successfully',
]

const concurrency = 4
/** Poll interval while the server is unreachable, and while it makes the image. */
const pollMs = 1000
/** Pieces of zeros declared in one request, so that an empty file does not need one for each piece. */
const zerosTogether = 64

interface Options {
  client: ResumableClient
  source: Source
  /** The upload to resume; undefined starts a new one. */
  id?: string
  onBegun?: (id: string) => void
  /** The upload can no longer be resumed. */
  onEnded?: (id: string) => void
  waitMs?: number
  /** Of its steps, where it makes no image. */
  labels?: readonly string[]
  /** The server will convert the file, which takes long enough to be cancelled. */
  converts?: boolean
}

/** Uploads into an object on the server that survives reloads and restarts, and resumes after any interruption. */
export function resumableFlow(options: Options): Flow {
  const { client, source, onBegun, onEnded, waitMs = pollMs, converts = false } = options
  let { id } = options

  const patiently = <Result>(
    { control: { signal }, waiting }: FlowRun,
    work: () => Promise<Result>,
  ): Promise<Result> => untilReachable(work, { signal, waitMs, waiting })

  async function begin(): Promise<string> {
    if (id === undefined) {
      id = (await client.create()).id
      onBegun?.(id)
    }
    return id
  }

  async function send(upload: string, { control, progress, waiting }: FlowRun): Promise<void> {
    const { received } = await client.view(upload, control.signal)
    waiting(false)
    const missing = missingRanges(mergeRanges(received), source.size)
    let done = source.size - bytesIn(missing)
    progress(done)
    let zeros: ByteRange[] = []

    async function declareZeros(signal: AbortSignal): Promise<void> {
      const ranges = mergeRanges(zeros)
      zeros = []
      if (ranges.length > 0) await withRetries(() => client.zeros(upload, ranges, signal), signal)
    }

    await inParallel(
      piecesOf(missing, imageUploadPiece),
      concurrency,
      control.signal,
      async (piece, signal) => {
        await control.ready()
        const bytes = await source.read(piece)
        if (isZero(bytes)) {
          zeros.push(piece)
          if (zeros.length >= zerosTogether) await declareZeros(signal)
        } else await withRetries(() => client.write(upload, piece.offset, bytes, signal), signal)
        source.release(bytes)
        done += piece.length
        progress(done)
      },
    )
    await declareZeros(control.signal)
  }

  async function complete(
    upload: string,
    { control: { signal }, waiting, converted }: FlowRun,
  ): Promise<void> {
    let current = await client.complete(upload)
    while (current.state === 'completing' || current.state === 'converting') {
      waiting(false)
      if (current.state === 'converting') converted(current.percentConverted ?? 0)
      await sleep(waitMs, signal)
      current = await client.view(upload, signal)
    }
    if (current.state === 'done') return
    const { message, nextStep } = current.failure ?? {
      message: 'The upload has expired',
      nextStep: 'Upload the image again.',
    }
    throw new Failure({ message, help: nextStep, statusCode: 400, errorCode: 'UploadFailed' })
  }

  return {
    labels: options.labels ?? labelsWith(converts ? 'Convert to a raw image' : 'Create image'),
    bytesStep: 1,
    ...(converts ? { convertStep: 2 } : { finalStep: 2 }),
    isResumable: true,
    uploadId: () => id,
    async run(cx) {
      const upload = await cx.step(0, begin)
      await cx.step(1, () => patiently(cx, () => send(upload, cx)))
      await cx.step(2, () => patiently(cx, () => complete(upload, cx)))
      onEnded?.(upload)
    },
    async cleanUp() {
      if (id === undefined) return
      await client.remove(id)
      onEnded?.(id)
    },
    describeLeftover: () => 'the unfinished upload; discard it in the list of images',
  }
}
