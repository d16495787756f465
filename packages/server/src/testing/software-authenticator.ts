import { webcrypto } from 'node:crypto'

const base64url = (bytes: Uint8Array | ArrayBuffer): string =>
  Buffer.from(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes).toString('base64url')
const sha256 = (bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> =>
  crypto.subtle.digest('SHA-256', bytes)

/** Faults that a test injects into an authenticator or a browser. */
export interface Fault {
  origin?: string
  rp_id?: string
  challenge?: string
  type?: string
  /** User present 1, user verified 4. */
  flags?: number
  count?: number
  format?: string
  algorithm?: number
}

/** An authenticator with one ES256 passkey, and its browser; signs whatever it is given. */
export class SoftwareAuthenticator {
  readonly id = base64url(crypto.getRandomValues(new Uint8Array(32)))
  userHandle = ''
  count = 0
  readonly #origin: string
  #keys: webcrypto.CryptoKeyPair | undefined

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The browser's response for a new passkey. */
  async make(
    options: { challenge: string; rp_id: string; user_handle: string },
    name = 'software',
    fault: Fault = {},
  ) {
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ])
    this.#keys = keys
    this.userHandle = options.user_handle
    const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', keys.publicKey)
    const key = cborMap([
      [1, 2],
      [3, fault.algorithm ?? -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const id = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, key])
    const data = await this.#data(options.rp_id, 0x40, fault, attested)
    const attestation = cborMap([
      ['fmt', fault.format ?? 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', data],
    ])
    return {
      name,
      credential_id: this.id,
      client_data: this.#clientData('webauthn.create', options.challenge, fault),
      attestation: base64url(attestation),
      transports: ['internal'],
    }
  }

  /** The browser's response when the passkey is used. */
  async use(options: { challenge: string; rp_id: string }, fault: Fault = {}) {
    if (!this.#keys) throw new Error('there is no passkey yet')
    const data = await this.#data(options.rp_id, 0, fault)
    const client_data = this.#clientData('webauthn.get', options.challenge, fault)
    const clientHash = await sha256(new Uint8Array(Buffer.from(client_data, 'base64url')))
    const signed = new Uint8Array(Buffer.concat([data, Buffer.from(clientHash)]))
    const raw = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, this.#keys.privateKey, signed)
    return {
      credential_id: this.id,
      client_data,
      authenticator_data: base64url(data),
      signature: base64url(derSignature(Buffer.from(raw))),
      user_handle: this.userHandle,
    }
  }

  #clientData(type: string, challenge: string, fault: Fault): string {
    const data = { type: fault.type ?? type, challenge: fault.challenge ?? challenge, crossOrigin: false }
    return base64url(Buffer.from(JSON.stringify({ ...data, origin: fault.origin ?? this.#origin })))
  }

  async #data(rpId: string, flags: number, fault: Fault, attested = Buffer.alloc(0)): Promise<Buffer> {
    const hash = await sha256(new TextEncoder().encode(fault.rp_id ?? rpId))
    const count = Buffer.alloc(4)
    count.writeUInt32BE(fault.count ?? this.count)
    return Buffer.concat([Buffer.from(hash), Buffer.from([flags | (fault.flags ?? 5)]), count, attested])
  }
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])

type Cbor = number | string | Uint8Array | Map<string, string>

/** The part of CBOR (RFC 8949) that an authenticator writes. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map) return head(5, 0)
  return Buffer.concat([head(2, value.length), value])
}

const cborMap = (entries: readonly [Cbor, Cbor][]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, value]) => [cbor(key), cbor(value)])])

function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument])
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument])
  return Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(argument)])
}

/** An ECDSA signature in WebAuthn's format: two integers in DER. */
function derSignature(raw: Buffer): Buffer {
  const integer = (bytes: Buffer): Buffer => {
    let at = 0
    while (at < bytes.length - 1 && bytes[at] === 0) at++
    const rest = bytes.subarray(at)
    const positive = (rest[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), rest]) : rest
    return Buffer.concat([Buffer.from([2, positive.length]), positive])
  }
  const both = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))])
  return Buffer.concat([Buffer.from([0x30, both.length]), both])
}
