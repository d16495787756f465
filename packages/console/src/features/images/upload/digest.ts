import { sha256 as sha256InScript } from '@noble/hashes/sha2.js'

/** Browsers offer `crypto.subtle` on secure connections only; elsewhere a script computes the digest. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle
  return subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256InScript(bytes)
}
