import type { Cx } from '../context/cx.ts'
import { isKnown } from './if-none-match.ts'
import { Reply } from './implement.ts'
import { type Span, spanOf } from './ranges.ts'

/** A file that a client downloads, and resumes. Its tag is the same for the same bytes only. */
export interface DownloadedFile {
  name: string
  type: string
  size: number
  etag: string
  read: (span: Span) => ReadableStream<Uint8Array>
}

/** All of a file, or the part that the request names. HEAD has the headers of GET, and no body. */
export function fileReply({ raw, request }: Cx, { name, type, size, etag, read }: DownloadedFile): Reply {
  if (isKnown(raw?.headers.get('if-none-match') ?? null, etag))
    return new Reply(undefined, { etag }, { status: 304 })
  const condition = raw?.headers.get('if-range')
  const isSame = !condition || condition === etag
  const span = spanOf(isSame ? (raw?.headers.get('range') ?? null) : null, size)
  const common = { 'accept-ranges': 'bytes', etag }
  if (span === 'unsatisfiable') {
    const message = 'Requested range not satisfiable'
    const help = `The file has ${size} bytes. Ask for a range within them.`
    const body = { request_id: request.id, error_code: 'InvalidRequest', message, help }
    return new Reply(body, { 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` }, { status: 416 })
  }
  const { start, length } = span ?? { start: 0, length: size }
  const headers = {
    ...common,
    'content-type': type,
    'content-length': String(length),
    'content-disposition': `attachment; filename="${name}"`,
    ...(span && { 'content-range': `bytes ${start}-${start + length - 1}/${size}` }),
  }
  const stream = raw?.method === 'HEAD' ? emptyStream() : read({ start, length })
  return new Reply(undefined, headers, { status: span ? 206 : 200, stream })
}

const emptyStream = (): ReadableStream<Uint8Array> => new Response('').body ?? new ReadableStream()
