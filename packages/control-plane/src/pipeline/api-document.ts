import { referenceDocument } from '@gantry/api/reference-document'
import type { WholeDocument } from '@gantry/api/versions/document'
import { versionHeader } from '@gantry/api/versions/newest.rules'
import { toHex } from '../context/ids.ts'
import { isKnown } from './if-none-match.ts'
import { MethodNotAllowed } from './router.ts'

/** The API descriptions of a version by path. */
const descriptions = {
  /** The reference API alone, for existing client generators. */
  '/openapi.json': async (version: number) => referenceDocument(await documentOfVersion(version)),
  '/ext/v1/openapi.json': documentOfVersion,
}
type DocumentPath = keyof typeof descriptions

/** From the committed file, which a test keeps up to date. */
async function documentOfVersion(version: number) {
  const [{ default: whole }, { documentOf }] = [
    await import('@gantry/api/openapi.ext.json'),
    await import('@gantry/api/versions/document'),
  ]
  return documentOf(whole as unknown as WholeDocument, version)
}

export const isDocumentPath = (pathname: string): pathname is DocumentPath =>
  Object.hasOwn(descriptions, pathname)

/** A description of the API as it was with a version. */
interface ApiDocument {
  path: DocumentPath
  version: number
}

/**
 * Serialised at the first request and shared: they are large, and anyone may request them at any rate. Compressed, because
 * anyone may request all versions.
 */
const kept = new Map<string, Promise<{ bytes: ArrayBuffer; length: number; etag: string }>>()

/** The API description at this path, if there is one. */
export const documentAt = (pathname: string, version: number): ApiDocument | undefined =>
  isDocumentPath(pathname) ? { path: pathname, version } : undefined

/** Answers with a document. `headers` are added to every response. */
export async function sendDocument(
  request: Request,
  document: ApiDocument,
  headers: Headers,
): Promise<Response> {
  if (request.method !== 'GET') throw new MethodNotAllowed(['GET'])
  const key = `${document.version} ${document.path}`
  const serialised = kept.get(key) ?? serialise(document)
  kept.set(key, serialised)
  const { bytes, length, etag } = await serialised
  headers.set('etag', etag)
  headers.set('vary', versionHeader)
  // Clients may store it but must revalidate each time.
  headers.set('cache-control', 'no-cache')
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  headers.set('content-type', 'application/json')
  headers.set('content-length', String(length))
  // Unpacked as it is read, so that those who never read hold next to nothing.
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')), { headers })
}

async function serialise({ path, version }: ApiDocument) {
  const text = new TextEncoder().encode(JSON.stringify(await descriptions[path](version)))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return {
    bytes: await new Response(
      new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer(),
    length: text.length,
    etag: `"${toHex(digest.subarray(0, 16))}"`,
  }
}
