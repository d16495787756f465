import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Seal } from '@gantry/control-plane/environment'
import type { SealKey } from './seal-keys.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** `sealed:v1:KEY-ID:BASE64`, which cannot be confused with PEM, base64 or any other stored secret. */
const sealedText = /^sealed:v1:([0-9a-f]{12}):([A-Za-z0-9+/]+=*)$/

/** Why a secret cannot be opened, in a sentence. */
export class CannotOpen extends Error {}

/** The id of the key that a text was sealed with; undefined if it is not sealed. */
const sealedWith = (text: string): string | undefined => sealedText.exec(text)?.[1]

/** Seals with the first key. Without any key it seals nothing, and still refuses sealed text. */
export function aesSeal(keys: readonly SealKey[]): Seal {
  const [first] = keys
  return {
    async seal(secret) {
      if (!first) return secret
      const prefix = `sealed:v1:${first.id}:`
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, first.bytes, nonce).setAAD(Buffer.from(prefix))
      const bytes = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return prefix + bytes.toString('base64')
    },
    async open(text) {
      const [, id, sealed = ''] = sealedText.exec(text) ?? []
      if (id === undefined) return text
      const key = keys.find((one) => one.id === id)
      if (!key) throw unknownKey(id, keys.length)
      try {
        return opened(key, Buffer.from(sealed, 'base64'))
      } catch (cause) {
        throw new CannotOpen(
          `A secret that was sealed with the key ${id} is damaged. Set it again, or restore a backup.`,
          { cause },
        )
      }
    },
    isCurrent: (text) => sealedWith(text) === first?.id,
  }
}

function opened({ id, bytes }: SealKey, sealed: Buffer): string {
  const decipher = createDecipheriv(CIPHER, bytes, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(`sealed:v1:${id}:`))
    .setAuthTag(sealed.subarray(-TAG_BYTES))
  return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)).toString() + decipher.final().toString()
}

const unknownKey = (id: string, count: number): CannotOpen =>
  new CannotOpen(
    count === 0
      ? `The database holds secrets that are sealed with the key ${id}, and there is no key here. Name its file with --key-file, or set GANTRY_KEY.`
      : `The database holds secrets that are sealed with the key ${id}, which is none of those given. Add it to the file of --key-file, or to GANTRY_KEY, after the key that seals.`,
  )
