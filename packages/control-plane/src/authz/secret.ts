import { toHex } from '../context/ids.ts'
import type { Services } from '../context/services.ts'

/** Bytes of every credential's secret: too many to guess. */
const secretBytes = 20

/** The secret of a session or device, as 40 hexadecimal digits. */
export const newSecret = ({ random }: Services): string => toHex(random(secretBytes))

/** Whether the text has the form of a secret; anything else needs no look-up. */
export const isSecret = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

/** Hashing waits for a thread, and every request of a page sends the same cookie. */
const hashes = new Map<string, string>()
const hashesKept = 1000

/** The stored form of a secret: a copy of the database contains no usable credential. */
export async function hashSecret(secret: string): Promise<string> {
  const known = hashes.get(secret)
  if (known) return known
  const hash = await digest(secret)
  if (hashes.size >= hashesKept) hashes.clear()
  hashes.set(secret, hash)
  return hash
}

/** Derives a secret from which the original cannot be recovered. */
export const secretFrom = async (secret: string, purpose: string): Promise<string> =>
  (await digest(`${purpose}:${secret}`)).slice(0, secretBytes * 2)

async function digest(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}
