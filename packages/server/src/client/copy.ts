import fs from 'node:fs/promises'
import path from 'node:path'
import { shownBytes } from '@gantry/api/base/bytes.rules'
import type { ByteRange } from '@gantry/api/storage/image-upload.rules'
import { imageUploadPiece, mergeRanges, missingRanges } from '@gantry/api/storage/image-upload.rules'
import { connectionFlags, type Parsed, parse } from './arguments.ts'
import { call, type CallContext, contentOf } from './call.ts'
import { Failure, isTemporary, mistake, sentence } from './failure.ts'
import { operation } from './operations.ts'
import { connectionOf } from './profiles.ts'
import { runOperation } from './run.ts'
import type { Terminal } from './terminal.ts'

type Env = Readonly<Record<string, string | undefined>>

const help = `Upload a file as an image, or download a support bundle.

Usage: gantry cp FILE image:NAME --project PROJECT --os OS --version VERSION [options]
       gantry cp bundle:ID FILE

Options of an upload:
  --project NAME      the project of the image
  --os OS             the operating system, such as debian
  --version VERSION   its version, such as 13
  --description TEXT
  --block-size BYTES  512 (default), 2048 or 4096
  --format FORMAT     raw, qcow2, …; recognised by the file's first bytes without it
  --resume            continue an upload of this file that was interrupted
  --profile NAME, --url URL, --help

An upload that loses its connection is kept for a day, and --resume sends only what is missing. Ctrl+C deletes it.
`

const text = { type: 'string', multiple: true } as const

/** Copies between files and what the API keeps of files. */
export async function copy(args: readonly string[], env: Env, terminal: Terminal): Promise<void> {
  const parsed = parse(args, {
    ...connectionFlags,
    project: text,
    os: text,
    version: text,
    description: text,
    'block-size': text,
    format: text,
    resume: { type: 'boolean' },
  })
  if (parsed.isSet('help')) return terminal.out(help)
  const [from, to, extra] = parsed.operands
  if (from === undefined || to === undefined || extra !== undefined)
    throw mistake('Say what to copy where: gantry cp FILE image:NAME, or gantry cp bundle:ID FILE.')
  const image = /^image:(.+)$/.exec(to)?.[1]
  const bundle = /^bundle:(.+)$/.exec(from)?.[1]
  if (bundle !== undefined) {
    const target = await placeIn(to, `support-bundle-${bundle}.zip`)
    return runOperation(
      operation('support_bundle_download'),
      [bundle, '--output', target, ...connectionArgs(parsed)],
      env,
      terminal,
    )
  }
  if (image === undefined)
    throw mistake(
      from.startsWith('image:')
        ? 'The API does not give out the bytes of images: an image can only be uploaded.'
        : 'One of the two is image:NAME, for an upload, or bundle:ID, for a download.',
    )
  return upload(from, image, parsed, env, terminal)
}

const connectionArgs = (parsed: Parsed): string[] =>
  (['profile', 'url'] as const).flatMap((name) => {
    const value = parsed.text(name)
    return value === undefined ? [] : [`--${name}`, value]
  })

/** The file that a folder as the target stands for. */
async function placeIn(to: string, name: string): Promise<string> {
  const isFolder = await fs.stat(to).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return isFolder ? path.join(to, name) : to
}

interface Upload {
  id: string
  name: string
  size: number
  state: string
  received: ByteRange[]
  image_id?: string | null
  percent_converted?: number | null
  failure?: { message: string; next_step: string } | null
}

async function upload(
  file: string,
  name: string,
  parsed: Parsed,
  env: Env,
  terminal: Terminal,
): Promise<void> {
  const project = required(parsed, 'project')
  const [os, version] = [required(parsed, 'os'), required(parsed, 'version')]
  const block = parsed.text('block-size') ?? '512'
  if (!/^\d{1,6}$/.test(block)) throw mistake('--block-size takes 512, 2048 or 4096.')
  const source = await fs.open(file).catch((error: NodeJS.ErrnoException) => {
    throw mistake(`${file} cannot be read (${error.code}).`)
  })
  const interrupted = new AbortController()
  const interrupt = (): void => interrupted.abort()
  process.once('SIGINT', interrupt)
  try {
    const stat = await source.stat()
    if (!stat.isFile()) throw mistake(`${file} is no file.`)
    const context: CallContext = {
      connection: connectionOf(parsed, env),
      options: { signal: interrupted.signal },
    }
    const format = parsed.text('format')
    const asked = {
      name,
      description: parsed.text('description') ?? '',
      os,
      version,
      block_size: Number(block),
      size: stat.size,
      ...(format !== undefined && { format }),
    }
    const begun = parsed.isSet('resume')
      ? await unfinished(project, asked, context)
      : ((await call(operation('image_upload_create'), { query: { project }, body: asked }, context))
          .data as Upload)
    try {
      await send(source, begun, context, terminal)
      await finish(begun, context, terminal)
    } catch (error) {
      throw await ended(error, begun, context, interrupted.signal)
    }
    terminal.err(`Image ${name} is created.\n`)
  } finally {
    process.off('SIGINT', interrupt)
    await source.close()
  }
}

function required(parsed: Parsed, name: string): string {
  const value = parsed.text(name)
  if (value === undefined || value === '')
    throw mistake(`Say which ${name}: --${name} ${name.toUpperCase()}.`)
  return value
}

/** The upload of this name and size that still waits for bytes. */
async function unfinished(
  project: string,
  { name, size }: { name: string; size: number },
  context: CallContext,
): Promise<Upload> {
  const { data } = await call(operation('image_upload_list'), { query: { project, limit: 1000 } }, context)
  const found = (data as { items: Upload[] }).items.find(
    (one) => one.state === 'open' && one.name === name && one.size === size,
  )
  if (found) return found
  throw new Failure(
    'notFound',
    `There is no interrupted upload of image ${name} with ${size} bytes. Leave --resume out.`,
  )
}

/** Requests at a time: one is sent while the next is read. */
const concurrency = 3
/** Pieces of zeros that are declared in one request. */
const zerosTogether = 256

async function send(
  source: fs.FileHandle,
  begun: Upload,
  context: CallContext,
  terminal: Terminal,
): Promise<void> {
  const pieces = missingRanges(mergeRanges(begun.received), begun.size).flatMap(piecesOf)
  const missing = pieces.reduce((sum, { length }) => sum + length, 0)
  let done = begun.size - missing
  let zeros: ByteRange[] = []
  const declare = async (): Promise<void> => {
    const ranges = mergeRanges(zeros)
    zeros = []
    if (ranges.length > 0)
      await patiently(() =>
        call(operation('image_upload_zeros'), { path: { upload: begun.id }, body: { ranges } }, context),
      )
  }
  const work = async (): Promise<void> => {
    for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
      const { offset, length } = piece
      const bytes = new Uint8Array(length)
      const { bytesRead } = await source.read(bytes, 0, length, offset)
      if (bytesRead < length) throw mistake('The file became shorter while it was read.')
      if (bytes.every((byte) => byte === 0)) {
        zeros.push(piece)
        if (zeros.length >= zerosTogether) await declare()
      } else await write(begun.id, offset, bytes, context)
      done += length
      report(terminal, `Uploading ${shownBytes(done)} of ${shownBytes(begun.size)}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  await declare()
}

function* piecesIn({ offset, length }: ByteRange): Generator<ByteRange> {
  for (let at = 0; at < length; at += imageUploadPiece)
    yield { offset: offset + at, length: Math.min(imageUploadPiece, length - at) }
}
const piecesOf = (range: ByteRange): ByteRange[] => [...piecesIn(range)]

async function write(
  id: string,
  offset: number,
  bytes: Uint8Array<ArrayBuffer>,
  context: CallContext,
): Promise<void> {
  const options = { ...context.options, content: contentOf(bytes) }
  await patiently(() =>
    call(
      operation('image_upload_write'),
      { path: { upload: id }, query: { offset } },
      { ...context, options },
    ),
  )
}

const attempts = 5

/** Tries again after a lost connection, which is no reason to start over. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isLost = error instanceof Failure && isTemporary(error)
      if (!isLost || attempt === attempts || isAborted(error)) throw error
      await pause(250 * 2 ** attempt)
    }
  }
}

const isAborted = (error: unknown): boolean =>
  ((error as Error).cause as Error | undefined)?.name === 'AbortError'

async function finish(begun: Upload, context: CallContext, terminal: Terminal): Promise<void> {
  const path = { upload: begun.id }
  let { data } = await patiently(() => call(operation('image_upload_complete'), { path }, context))
  for (;;) {
    const { state, percent_converted: percent, failure } = data as Upload
    if (state === 'done') return report(terminal, '')
    if (state !== 'completing' && state !== 'converting') {
      const { message, next_step } = failure ?? {
        message: 'The upload has expired',
        next_step: 'Start it again',
      }
      throw new Failure('refused', `${sentence(message)} ${sentence(next_step)}`)
    }
    report(terminal, state === 'converting' ? `Converting ${percent ?? 0} %` : 'Creating the image')
    await pause(500)
    ;({ data } = await patiently(() => call(operation('image_upload_view'), { path }, context)))
  }
}

/** What a failure means for the upload: a lost connection keeps it, anything else deletes it. */
async function ended(
  error: unknown,
  { id }: Upload,
  context: CallContext,
  signal: AbortSignal,
): Promise<unknown> {
  if (error instanceof Failure && isTemporary(error) && !signal.aborted)
    return new Failure('noAnswer', `${error.message} The upload is kept: continue it with --resume.`)
  const withoutSignal = { ...context, options: {} }
  await call(operation('image_upload_delete'), { path: { upload: id } }, withoutSignal).catch(() => undefined)
  return signal.aborted ? new Failure('interrupted', 'The upload was cancelled.') : error
}

/** Progress is for people; a log keeps the result only. */
function report(terminal: Terminal, words: string): void {
  if (terminal.columns !== undefined) terminal.err(`\r\u001b[K${words}`)
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
