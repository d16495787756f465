/** What a client of RFB (RFC 6143) says. Everything else is refused. */
export type ClientMessage =
  | { kind: 'version' | 'security' | 'init'; bytes: Uint8Array }
  | { kind: 'pixel-format' | 'encodings' | 'update-request' | 'clipboard'; bytes: Uint8Array }
  | { kind: 'key'; bytes: Uint8Array; key: number; isDown: boolean }
  | { kind: 'pointer'; bytes: Uint8Array; buttons: number }

/** A client that does not speak RFB, or more of it than is needed here; with words for it. */
export class RfbViolation extends Error {}

export const rfbVersion = 'RFB 003.008\n'
/** No authentication: who may connect was decided before. */
export const noSecurity = 1

/** So many bytes tell how long a message is. */
const LENGTH_BYTES = 8
/** More than any client knows. */
const ENCODINGS_MAX = 128
/** A clipboard that is longer is refused. */
export const CLIPBOARD_MAX = 64 * 1024

/**
 * The encodings and extensions that reach the machine. Those that it does not learn of are never used, so no client
 * sends the messages that they bring: these alone need to be understood.
 */
const known: ReadonlySet<number> = new Set(
  [
    // Raw, CopyRect, RRE, Hextile, Zlib, Tight, ZRLE, TightPNG.
    [0, 1, 2, 5, 6, 7, 16, -260],
    // The size of the screen, the last rectangle, the pointer's shape, the screen's name, lights of the keyboard.
    [-223, -224, -239, -307, -261],
    // Keys by their place on the keyboard.
    [-258],
    // Quality and compression.
    range(-32, -23),
    range(-256, -247),
  ].flat(),
)

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

const handshake = [
  { kind: 'version', length: 12 },
  { kind: 'security', length: 1 },
  { kind: 'init', length: 1 },
] as const

/** Reads the messages of one client, however they are cut into pieces. It holds at most one incomplete message. */
export class ClientMessages {
  #rest: Uint8Array = new Uint8Array()
  #greeted = 0

  /** The length of the first message, as soon as it is known. */
  #lengthOf(bytes: Uint8Array): number | undefined {
    const greeting = handshake[this.#greeted]
    if (greeting) return greeting.length
    switch (bytes[0]) {
      case undefined:
        return undefined
      case 0:
        return 20
      case 2: {
        if (bytes.length < 4) return undefined
        const count = viewOf(bytes).getUint16(2)
        if (count > ENCODINGS_MAX) throw new RfbViolation('Too many encodings.')
        return 4 + 4 * count
      }
      case 3:
        return 10
      case 4:
        return 8
      case 5:
        return 6
      case 6: {
        if (bytes.length < 8) return undefined
        const length = viewOf(bytes).getUint32(4)
        if (length > CLIPBOARD_MAX) throw new RfbViolation('The clipboard is too long.')
        return 8 + length
      }
      case 255:
        if (bytes.length < 2) return undefined
        if (bytes[1] === 0) return 12
        throw new RfbViolation('This screen has no sound.')
      default:
        throw new RfbViolation('This is not RFB.')
    }
  }

  /** The messages that these bytes complete. */
  *read(bytes: Uint8Array): Generator<ClientMessage> {
    const all = this.#rest.length > 0 ? joined(this.#rest, bytes) : bytes
    let at = 0
    for (;;) {
      const length = this.#lengthOf(all.subarray(at, at + LENGTH_BYTES))
      if (length === undefined || all.length - at < length) break
      at += length
      yield this.#take(all.slice(at - length, at))
    }
    this.#rest = all.slice(at)
  }

  #take(bytes: Uint8Array): ClientMessage {
    const greeting = handshake[this.#greeted]
    if (greeting) {
      this.#greeted++
      return { kind: greeting.kind, bytes: checked(greeting.kind, bytes) }
    }
    switch (bytes[0]) {
      case 0:
        return { kind: 'pixel-format', bytes }
      case 2:
        return { kind: 'encodings', bytes: onlyKnown(viewOf(bytes)) }
      case 3:
        return { kind: 'update-request', bytes }
      case 4:
        return { kind: 'key', bytes, key: viewOf(bytes).getUint32(4), isDown: bytes[1] !== 0 }
      case 5:
        return { kind: 'pointer', bytes, buttons: bytes[1] ?? 0 }
      case 6:
        return { kind: 'clipboard', bytes }
      default: {
        const view = viewOf(bytes)
        return { kind: 'key', bytes, key: view.getUint32(4), isDown: view.getUint16(2) !== 0 }
      }
    }
  }
}

function checked(kind: 'version' | 'security' | 'init', bytes: Uint8Array): Uint8Array {
  if (kind === 'version' && new TextDecoder('latin1').decode(bytes) !== rfbVersion)
    throw new RfbViolation('This screen speaks RFB 3.8 only.')
  if (kind === 'security' && bytes[0] !== noSecurity)
    throw new RfbViolation('This screen needs no authentication of RFB.')
  // No viewer ends the connections of others.
  return kind === 'init' ? Uint8Array.of(1) : bytes
}

function onlyKnown(message: DataView): Uint8Array {
  const wanted: number[] = []
  for (let at = 4; at < message.byteLength; at += 4) {
    const encoding = message.getInt32(at)
    if (known.has(encoding)) wanted.push(encoding)
  }
  const bytes = new Uint8Array(4 + 4 * wanted.length)
  const view = viewOf(bytes)
  view.setUint8(0, 2)
  view.setUint16(2, wanted.length)
  wanted.forEach((encoding, index) => view.setInt32(4 + 4 * index, encoding))
  return bytes
}

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
