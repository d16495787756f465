import { invalid, unreadable } from '../../context/refusal.ts'

/** Refuses a piece that does not match the digest which was sent with it (RFC 9530). */
export async function refuseDamaged(request: Request, hashed: Promise<string>): Promise<void> {
  if ((await hashed) !== contentDigest(request))
    throw invalid(
      'the bytes do not match their content digest',
      'They were damaged in transit. Send them again.',
    )
}

/** The SHA-256 digest in the header, in base64. */
function contentDigest(request: Request): string {
  const header = request.headers.get('content-digest') ?? ''
  const value = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]*):/.exec(header)?.[1]
  if (value === undefined)
    throw unreadable('the header content-digest with a sha-256 is missing: content-digest: sha-256=:base64:')
  return value
}

/** In base64. Computed while other checks run. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))))
}
