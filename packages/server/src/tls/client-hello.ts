/** The client's offers in the first message of a handshake (RFC 8446, 4.1.2) that selecting a certificate needs. */
export interface ClientHello {
  serverName: string | undefined
  /** Code points of signature schemes; empty if the client names none. */
  signatureSchemes: readonly number[]
  /** Code points of elliptic curves, among others. */
  groups: readonly number[]
}

/** More than any client sends, also with the large keys of post-quantum exchanges. */
export const MAX_HELLO_BYTES = 16 * 1024

/** Clients split the message into two at most; each costs a copy. */
const MAX_RECORDS = 8

const handshakeRecord = 22
const clientHello = 1
const extensions = { serverName: 0, groups: 10, signatureSchemes: 13 } as const

/** Parses the first bytes of a connection: `more` if they are only a beginning, undefined if they are no ClientHello. */
export function readClientHello(bytes: Buffer): ClientHello | 'more' | undefined {
  const message = messageIn(bytes)
  if (message === undefined || message === 'more') return message
  try {
    return parse(new Reader(message))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The body of the handshake's first message, which may span records. */
function messageIn(bytes: Buffer): Buffer | 'more' | undefined {
  let message = Buffer.alloc(0)
  let at = 0
  for (let record = 0; record < MAX_RECORDS; record += 1) {
    if (at < bytes.length && bytes[at] !== handshakeRecord) return undefined
    if (bytes.length < at + 5) return 'more'
    const end = at + 5 + bytes.readUInt16BE(at + 3)
    message = Buffer.concat([message, bytes.subarray(at + 5, end)])
    if (message.length > 0 && message[0] !== clientHello) return undefined
    const length = message.length < 4 ? undefined : 4 + message.readUIntBE(1, 3)
    if (length !== undefined && message.length >= length) return message.subarray(4, length)
    if (end > bytes.length) return 'more'
    at = end
  }
  return undefined
}

function parse(hello: Reader): ClientHello {
  // Version and random.
  hello.take(34)
  hello.block(1)
  hello.block(2)
  hello.block(1)
  const found: ClientHello = { serverName: undefined, signatureSchemes: [], groups: [] }
  if (hello.isAtEnd) return found
  const list = hello.block(2)
  while (!list.isAtEnd) {
    const type = list.number(2)
    const body = list.block(2)
    if (type === extensions.serverName) found.serverName = serverNameIn(body)
    if (type === extensions.groups) found.groups = body.block(2).numbers()
    if (type === extensions.signatureSchemes) found.signatureSchemes = body.block(2).numbers()
  }
  return found
}

function serverNameIn(body: Reader): string | undefined {
  const names = body.block(2)
  while (!names.isAtEnd) {
    const type = names.number(1)
    const name = names.block(2)
    if (type === 0) return name.text()
  }
  return undefined
}

/** Reads lengths and numbers; past the end, `Buffer` throws a RangeError. */
class Reader {
  #at = 0
  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length
  }

  number(size: 1 | 2): number {
    const value = this.bytes.readUIntBE(this.#at, size)
    this.#at += size
    return value
  }

  take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.bytes.length) throw new RangeError('the message is cut off')
    const part = this.bytes.subarray(this.#at, end)
    this.#at = end
    return part
  }

  /** A value preceded by its length. */
  block(sizeOfLength: 1 | 2): Reader {
    return new Reader(this.take(this.number(sizeOfLength)))
  }

  numbers(): number[] {
    const found: number[] = []
    while (!this.isAtEnd) found.push(this.number(2))
    return found
  }

  text(): string {
    return this.bytes.toString('latin1')
  }
}
