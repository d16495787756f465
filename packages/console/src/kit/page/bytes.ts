/** Standard base64. Works in chunks, because a call has an argument limit. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  const step = 0x8000
  for (let at = 0; at < bytes.length; at += step)
    text += String.fromCharCode(...bytes.subarray(at, at + step))
  return btoa(text)
}

/** This many random hexadecimal digits, for generated names. */
export function randomHex(digits: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(digits / 2)))
  return [...bytes]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, digits)
}

/** Browsers offer `crypto.subtle` on secure connections only; elsewhere a script computes the digest. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle
  if (subtle) return new Uint8Array(await subtle.digest('SHA-256', bytes))
  const inScript = await import('@noble/hashes/sha2.js')
  return inScript.sha256(bytes)
}
