import path from 'node:path'
import { preferredEncodings, type Encoding } from './accept-encoding.ts'
import { storedFiles, type StoredFile } from './stored-files.ts'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

const suffixes: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

/** Their names carry a hash of their contents, so what a name holds never changes. */
const HASHED = '/assets/'
const FOREVER = 'public, max-age=31536000, immutable'

const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

/** Serves the built console: its files, and its page for every path that is a page's. */
export function staticFiles(directory: string): (request: Request) => Promise<Response> {
  const read = storedFiles()
  const find = (pathname: string, encodings: Encoding[]) => findIn(read, directory, pathname, encodings)
  return async (request) => {
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
    // The page names the hashed files of one build, so an old copy of it would ask for files that are gone.
    if (page) return respond(request, page, 'no-store')
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

async function findIn(
  read: ReturnType<typeof storedFiles>,
  directory: string,
  pathname: string,
  encodings: Encoding[],
): Promise<Found | undefined> {
  const file = path.join(directory, pathname)
  // The address has been normalised, but what it decodes to has not.
  if (!file.startsWith(directory + path.sep) || pathname.includes('\0')) return undefined
  // What a build notes for itself.
  if (path.relative(directory, file).split(path.sep).some(isHidden)) return undefined
  const type = types[path.extname(file)]
  // Whatever else lies in the folder, the compressed copies above all, is no file of the console.
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
  if (caching !== 'no-store' && request.headers.get('if-none-match') === etag) {
    return new Response(null, { status: 304, headers })
  }
  headers['content-length'] = String(bytes.length)
  return new Response(request.method === 'HEAD' ? null : bytes, { headers })
}

function decode(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return undefined
  }
}
