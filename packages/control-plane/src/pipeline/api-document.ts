import { type Edition, editionHeader } from '@gantry/api/editions/edition.rules'
import { laterDocument } from '@gantry/api/editions/later-document'
import { toHex } from '../context/ids.ts'
import { isKnown } from './if-none-match.ts'
import { cut, streamOfPieces } from './pieces.ts'
import { MethodNotAllowed } from './router.ts'

/** Reads an API description. */
type ApiDocument = () => Promise<{ default: object }>

/**
 * API descriptions by path, and for the later edition with `later` before it. They come from the committed files, which a
 * test keeps up to date.
 */
const documents = new Map<string, ApiDocument>([
  // The reference API alone, for existing client generators.
  ['/openapi.json', () => import('@gantry/api/openapi.json')],
  ['later /openapi.json', laterEdition],
  ['/ext/v1/openapi.json', () => import('@gantry/api/openapi.ext.json')],
])

async function laterEdition() {
  const { default: base } = await import('@gantry/api/openapi.json')
  return { default: laterDocument(base) }
}

export const isDocumentPath = (pathname: string): boolean => documents.has(pathname)

/** Serialised at the first request and shared: they are large, and anyone may request them at any rate. */
const kept = new Map<ApiDocument, Promise<{ bytes: Uint8Array<ArrayBuffer>; etag: string }>>()

/** The API description of an edition at this path, if there is one. */
export const documentAt = (pathname: string, edition: Edition): ApiDocument | undefined =>
  (edition === 'later' && documents.get(`later ${pathname}`)) || documents.get(pathname)

/** Answers with a document. `headers` are added to every response. */
export async function sendDocument(
  request: Request,
  document: ApiDocument,
  headers: Headers,
): Promise<Response> {
  if (request.method !== 'GET') throw new MethodNotAllowed(['GET'])
  const serialised = kept.get(document) ?? serialise(document)
  kept.set(document, serialised)
  const { bytes, etag } = await serialised
  headers.set('etag', etag)
  headers.set('vary', editionHeader)
  // Clients may store it but must revalidate each time.
  headers.set('cache-control', 'no-cache')
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  headers.set('content-type', 'application/json')
  headers.set('content-length', String(bytes.length))
  return new Response(streamOfPieces(cut(bytes)), { headers })
}

async function serialise(read: ApiDocument) {
  const { default: content } = await read()
  const bytes = new TextEncoder().encode(JSON.stringify(content))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return { bytes, etag: `"${toHex(digest.subarray(0, 16))}"` }
}
