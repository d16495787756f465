export type NamedKey =
  | 'enter'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'up'
  | 'down'
  | 'tab'
  | 'kill-before'
  | 'kill-after'
  | 'kill-word'
  | 'clear-screen'
  | 'interrupt'
  | 'end-of-input'

/** One key press: a named key, or one printable code point. */
export type Key = NamedKey | { text: string }

export interface Fed {
  pending: number[]
  key?: Key
}

const CR = 0x0d
const LF = 0x0a
const ESC = 0x1b

// Every sequence below is shorter, so longer input need not be stored, only skipped.
const MAX_SEQUENCE_BYTES = 8

const controls: Record<number, NamedKey> = {
  0x01: 'home',
  0x02: 'left',
  0x03: 'interrupt',
  0x04: 'end-of-input',
  0x05: 'end',
  0x06: 'right',
  0x08: 'backspace',
  0x09: 'tab',
  0x0b: 'kill-after',
  0x0c: 'clear-screen',
  0x0e: 'down',
  0x10: 'up',
  0x15: 'kill-before',
  0x17: 'kill-word',
  0x7f: 'backspace',
}

// Terminals send the bracket form, the O form in application mode, and the ~ form for the editing keys.
// Unlisted sequences do nothing, including the markers of bracketed paste (200~ and 201~).
const sequences: Record<string, NamedKey> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[7~': 'home',
  '[4~': 'end',
  '[8~': 'end',
  '[3~': 'delete',
}

/**
 * Consumes one byte of input. A byte completes at most one key; incomplete input is returned as `pending`.
 */
export function feed(pending: readonly number[], byte: number): Fed {
  const [first] = pending
  if (first === undefined) return fresh(byte)
  if (first === CR) return byte === LF ? { pending: [] } : fresh(byte)
  return first === ESC ? inEscape(pending, byte) : inUtf8(pending, byte)
}

function fresh(byte: number): Fed {
  // The CR takes effect at once and is remembered, so that a CRLF is one Enter.
  if (byte === CR) return { pending: [CR], key: 'enter' }
  if (byte === LF) return { pending: [], key: 'enter' }
  if (byte === ESC || utf8Length(byte) > 1) return { pending: [byte] }
  if (byte >= 0x20 && byte < 0x7f) return { pending: [], key: { text: String.fromCharCode(byte) } }
  return { pending: [], key: controls[byte] }
}

function inEscape(pending: readonly number[], byte: number): Fed {
  // A control byte or a non-ASCII one cannot be part of a sequence: it ends the sequence and is processed
  // itself.
  if (byte < 0x20 || byte >= 0x7f) return fresh(byte)
  if (pending.length === 1) {
    const opens = byte === 0x5b || byte === 0x4f
    return { pending: opens ? [...pending, byte] : [] }
  }
  const isParameter = byte < 0x40
  if (isParameter) return { pending: pending.length < MAX_SEQUENCE_BYTES ? [...pending, byte] : [...pending] }
  return { pending: [], key: sequences[String.fromCharCode(...pending.slice(1), byte)] }
}

function inUtf8(pending: readonly number[], byte: number): Fed {
  const isContinuation = byte >= 0x80 && byte < 0xc0
  if (!isContinuation) return fresh(byte)
  const bytes = [...pending, byte]
  if (bytes.length < utf8Length(bytes[0] ?? 0)) return { pending: bytes }
  const text = decode(bytes)
  return isPrintable(text) ? { pending: [], key: { text } } : { pending: [] }
}

function utf8Length(lead: number): number {
  if (lead >= 0xc2 && lead < 0xe0) return 2
  if (lead >= 0xe0 && lead < 0xf0) return 3
  if (lead >= 0xf0 && lead < 0xf5) return 4
  return 1
}

// Overlong forms and surrogates decode to replacement characters, which were not typed.
function decode(bytes: number[]): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(bytes))
  return text.includes('\ufffd') ? '' : text
}

// Controls, lone surrogates and line separators would corrupt the echoed line; so would format characters,
// some of which reverse text.
function isPrintable(text: string): boolean {
  return text !== '' && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)
}
