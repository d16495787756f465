import { toHex } from '@gantry/control-plane/context/ids'

const encoder = new TextEncoder()
const nonceBytes = 12
/** What follows is compressed by `deflate`, or as it is. */
const codecs = { plain: 0, deflate: 1 } as const
type Bytes = Uint8Array<ArrayBuffer>

/** An object that was not written with this key, or not as it is now. */
export class Damaged extends Error {}

/**
 * What the key of a target does. A chunk is named by HMAC-SHA-256 of its bytes: the same bytes have the same name in
 * this target, and a store without the key cannot tell whether it holds a known file. Every object is encrypted with
 * AES-256-GCM by a key of its own, HMAC-SHA-256 of its name. Its nonce is random at each writing: 2^32 writings of one
 * and the same name would be needed before a nonce is likely to repeat, and a name is written a few times at most. The
 * name is authenticated with the bytes, so that no object passes for another.
 */
export interface Sealing {
  /** The name of a chunk. */
  nameOf: (chunk: Bytes) => Promise<string>
  seal: (name: string, bytes: Bytes) => Promise<Bytes>
  /** Throws `Damaged`; also if it would be longer than `max`. */
  open: (name: string, sealed: Bytes, max: number) => Promise<Bytes>
  /** Shows that a key is the right one, and nothing else of it. */
  check: string
}

export async function sealingBy(key: Bytes): Promise<Sealing> {
  const root = await hmacKey(key)
  const derived = async (purpose: string) => hmacKey(await sign(root, encoder.encode(purpose)))
  const [naming, sealing, checking] = await Promise.all([
    derived('names of chunks'),
    derived('keys of objects'),
    derived('check of the key'),
  ])
  const aesOf = async (name: string) =>
    crypto.subtle.importKey('raw', await sign(sealing, encoder.encode(name)), 'AES-GCM', false, [
      'encrypt',
      'decrypt',
    ])
  const terms = (name: string, iv: Bytes) => ({
    name: 'AES-GCM',
    iv,
    additionalData: encoder.encode(name),
  })
  return {
    check: toHex(await sign(checking, new Uint8Array(0))).slice(0, 32),
    nameOf: async (chunk) => toHex(await sign(naming, chunk)),
    async seal(name, bytes) {
      const packed = await throughStream(bytes, new CompressionStream('deflate-raw'))
      const isSmaller = packed.length < bytes.length
      const body = joined(
        Uint8Array.of(isSmaller ? codecs.deflate : codecs.plain),
        isSmaller ? packed : bytes,
      )
      const iv = crypto.getRandomValues(new Uint8Array(nonceBytes))
      const sealed = await crypto.subtle.encrypt(terms(name, iv), await aesOf(name), body)
      return joined(iv, new Uint8Array(sealed))
    },
    async open(name, sealed, max) {
      const iv = sealed.slice(0, nonceBytes)
      const body = await crypto.subtle
        .decrypt(terms(name, iv), await aesOf(name), sealed.slice(nonceBytes))
        .catch((cause: unknown) => {
          throw new Damaged(`${name} is not as it was written`, { cause })
        })
      const bytes = new Uint8Array(body)
      const rest = bytes.slice(1)
      if (bytes[0] === codecs.plain && rest.length <= max) return rest
      if (bytes[0] === codecs.deflate)
        return throughStream(rest, new DecompressionStream('deflate-raw'), max).catch((cause: unknown) => {
          throw new Damaged(`${name} cannot be unpacked`, { cause })
        })
      throw new Damaged(`${name} is in a form that is not known here`)
    },
  }
}

const hmacKey = (bytes: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])

const sign = async (key: CryptoKey, bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes))

async function throughStream(
  bytes: Bytes,
  stream: CompressionStream | DecompressionStream,
  max = Infinity,
): Promise<Bytes> {
  const pieces: Bytes[] = []
  let size = 0
  const source = new Blob([bytes]).stream().pipeThrough(stream)
  for (const reader = source.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > max) {
      await reader.cancel()
      throw new Damaged('it is longer than it may be')
    }
    pieces.push(value)
  }
  return joined(...pieces)
}

function joined(...parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
