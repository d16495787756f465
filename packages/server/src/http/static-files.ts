import path from 'node:path'
import { PassThrough } from 'node:stream'
import { ReadableStream as WebStream } from 'node:stream/web'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { isKnown } from '@gantry/control-plane/pipeline/if-none-match'
import { cut, pieceBytes, streamOfPieces } from '@gantry/control-plane/pipeline/pieces'
import { preferredEncodings, type Encoding } from './accept-encoding.ts'
import { type AnsweredPage, type Ask, firstAnswers } from './first-answers.ts'
import { storedFiles, type StoredFile } from './stored-files.ts'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  // Browsers display plain text, and offer Markdown for download.
  '.md': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

const suffixes: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

/** File names contain a hash of the contents, so a file never changes. */
const HASHED = '/assets/'
const FOREVER = 'public, max-age=31536000, immutable'

const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

/** Serves the built console: its files, and its page for every page path. */
export async function staticFiles(
  directory: string,
): Promise<(request: Request, ask: Ask) => Promise<Response>> {
  const read = storedFiles()
  const withAnswers = await firstAnswers(directory)
  const find = (pathname: string, encodings: Encoding[]) => findIn(read, directory, pathname, encodings)
  return async (request, ask) => {
    const { method, headers } = request
    if (method !== 'GET' && method !== 'HEAD') {
      return new Response('Only GET and HEAD.\n', {
        status: 405,
        headers: { ...textHeaders, allow: 'GET, HEAD' },
      })
    }
    const pathname = decode(new URL(request.url).pathname)
    if (pathname === undefined) return new Response('Bad path.\n', { status: 400, headers: textHeaders })

    const encodings = preferredEncodings(headers.get('accept-encoding'))
    const isIndex = pathname === '/' || pathname === '/index.html'
    const file = isIndex ? undefined : await find(pathname, encodings)
    if (file) return respond(request, file, pathname.startsWith(HASHED) ? FOREVER : 'no-cache')

    const wantsPage =
      isIndex || (!pathname.startsWith(HASHED) && (headers.get('accept') ?? '').includes('text/html'))
    if (!wantsPage) return new Response('Not found.\n', { status: 404, headers: textHeaders })
    const page = await find('/index.html', encodings)
    // The page refers to the hashed files of one build, so a stale copy would request missing files.
    if (page) {
      const html = (await find('/index.html', []))?.bytes
      const answered = html && withAnswers(request, Buffer.from(html).toString(), ask)
      return answered ? respondInTwo(answered, encodings[0]) : respond(request, page, 'no-store')
    }
    return new Response('The console has not been built. Run `npm run build`.\n', {
      status: 404,
      headers: textHeaders,
    })
  }
}

interface Found extends StoredFile {
  type: string
  encoding: Encoding | undefined
}

/** Each load compresses its page anew, so the best compression would take longer than it saves. */
const compressors = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip(),
}

function respondInTwo({ start, end }: AnsweredPage, encoding: Encoding | undefined): Response {
  const body = encoding ? compressors[encoding]() : new PassThrough()
  body.write(start)
  if ('flush' in body) body.flush()
  end.then(
    (text) => body.end(text),
    (error: Error) => body.destroy(error),
  )
  // Not `Readable.toWeb`, which throws outside of the request when a client leaves in the middle.
  return new Response(WebStream.from<Uint8Array>(body) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': types['.html'] ?? '',
      'cache-control': 'no-store',
      vary: 'accept-encoding',
      ...(encoding ? { 'content-encoding': encoding } : {}),
    },
  })
}

async function findIn(
  read: ReturnType<typeof storedFiles>,
  directory: string,
  pathname: string,
  encodings: Encoding[],
): Promise<Found | undefined> {
  const file = path.join(directory, pathname)
  // The URL has been normalised, but its decoded form has not.
  if (!file.startsWith(directory + path.sep) || pathname.includes('\0')) return undefined
  // Hidden files are the build's own.
  if (path.relative(directory, file).split(path.sep).some(isHidden)) return undefined
  const type = types[path.extname(file)]
  // Anything else in the folder is not a file of the console, in particular the compressed copies.
  if (!type) return undefined
  for (const encoding of [...encodings, undefined]) {
    const found = await read(encoding ? file + suffixes[encoding] : file)
    if (found) return { ...found, type, encoding }
  }
  return undefined
}

const isHidden = (name: string): boolean => name.startsWith('.')

function respond(request: Request, { bytes, type, encoding, etag }: Found, caching: string): Response {
  const headers: Record<string, string> = {
    'content-type': type,
    'cache-control': caching,
    vary: 'accept-encoding',
    ...(caching === 'no-store' ? {} : { etag }),
    ...(encoding ? { 'content-encoding': encoding } : {}),
  }
  if (caching !== 'no-store' && isKnown(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers })
  }
  headers['content-length'] = String(bytes.length)
  if (request.method === 'HEAD') return new Response(null, { headers })
  return new Response(bytes.length > pieceBytes ? streamOfPieces(cut(bytes)) : bytes, { headers })
}

function decode(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return undefined
  }
}
