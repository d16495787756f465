import { type Services, toHex } from '../kernel/cx.ts'

/** Bytes of every secret that a caller shows: more than anybody can guess. */
const secretBytes = 20

/** What sessions and devices show to be let in, as 40 hexadecimal digits. */
export const newSecret = ({ random }: Services): string => toHex(random(secretBytes))

/** Whether it could be one; what is not need not be looked for. */
export const isSecret = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

/** Hashing waits for a thread, and every request of a page brings the same cookie. */
const hashes = new Map<string, string>()
const hashesKept = 1000

/** How a secret is kept: a copy of the database lets nobody in. */
export async function hashSecret(secret: string): Promise<string> {
  const known = hashes.get(secret)
  if (known) return known
  const hash = await digest(secret)
  if (hashes.size >= hashesKept) hashes.clear()
  hashes.set(secret, hash)
  return hash
}

/** A secret that follows from another and does not lead back to it. */
export const secretFrom = async (secret: string, purpose: string): Promise<string> =>
  (await digest(`${purpose}:${secret}`)).slice(0, secretBytes * 2)

async function digest(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}
