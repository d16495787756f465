import { sha256InScript } from './sha256.ts'

/** The browser's own where it has one, which it has on secure connections only. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle
  return subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256InScript(bytes)
}
