/** Browsers offer `crypto.subtle` on secure connections only; elsewhere a script computes the digest. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle
  if (subtle) return new Uint8Array(await subtle.digest('SHA-256', bytes))
  const inScript = await import('@noble/hashes/sha2.js')
  return inScript.sha256(bytes)
}
