import { toHex } from './cx.ts'
import { MethodNotAllowed } from './router.ts'

/** Where the description of the API is; read from the committed file, which a test keeps fresh. */
export const documentPath = '/openapi.json'

/** Serialised at the first request and shared by all: it is large, and anybody may ask for it at any rate. */
let kept: Promise<{ bytes: Uint8Array<ArrayBuffer>; etag: string }> | undefined

/** The description of the API. `headers` are those of every answer. */
export async function apiDocument(request: Request, headers: Headers): Promise<Response> {
  if (request.method !== 'GET') throw new MethodNotAllowed(['GET'])
  const { bytes, etag } = await (kept ??= serialise())
  headers.set('etag', etag)
  // Kept by the client, and asked about each time.
  headers.set('cache-control', 'no-cache')
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  headers.set('content-type', 'application/json')
  return new Response(bytes, { headers })
}

async function serialise() {
  const { default: content } = await import('@gantry/api/openapi.json')
  const bytes = new TextEncoder().encode(JSON.stringify(content))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return { bytes, etag: `"${toHex(digest.subarray(0, 16))}"` }
}

/** Whether a client says that it has the document already; a proxy may have made its tag a weak one. */
const isKnown = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
