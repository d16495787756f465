import { formatIp, isIp, parseIp } from '@gantry/api/base/ip.rules'
import type { Cursor } from './cursor.ts'
import { parseDuration } from './parse-duration.ts'
import { parseMoment } from './parse-moment.ts'
import { parseText } from './parse-text.ts'
import type { Literal } from './syntax-tree.ts'

const decimal = /-?(?:\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)/y
const integer = /0x[0-9a-fA-F]+|-?\d+/y
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|^[0-9a-f]{32}$/i

/** The kinds of literals, in the order in which they are tried (reference B 20.5). */
export function parseLiteral(cursor: Cursor): Literal {
  refuseBareUuid(cursor)
  for (const value of [true, false]) if (cursor.take(String(value))) return { type: 'boolean', value }
  const duration = parseDuration(cursor)
  if (duration !== undefined) return { type: 'duration', value: duration }
  const literal = parseNumber(cursor) ?? parseQuoted(cursor) ?? parseMoment(cursor)
  if (!literal) throw cursor.error()
  return literal
}

/** A frequent mistake, which would otherwise be reported in the middle of the UUID. */
function refuseBareUuid(cursor: Cursor): void {
  if (uuid.test(cursor.text.slice(cursor.at, cursor.at + 36)))
    throw cursor.wrong('a UUID in double quotes', cursor.at)
}

function parseNumber(cursor: Cursor): Literal | undefined {
  const at = cursor.at
  const double = cursor.match(decimal, 'a double')
  if (double) {
    const value = Number(double[0])
    if (!Number.isFinite(value)) throw cursor.wrong('a finite double', at)
    return { type: 'double', value }
  }
  const whole = cursor.match(integer, 'an integer')
  if (!whole) return undefined
  const value = whole[0].startsWith('-') ? -BigInt(whole[0].slice(1)) : BigInt(whole[0])
  if (value < -(2n ** 63n) || value >= 2n ** 64n)
    throw cursor.wrong('an integer from -9223372036854775808 to 18446744073709551615', at)
  const plain = Number(value)
  return { type: 'integer', value: Number.isSafeInteger(plain) ? plain : value }
}

/** Double-quoted text that looks like a UUID or an address is one. */
function parseQuoted(cursor: Cursor): Literal | undefined {
  const quoted = parseText(cursor)
  if (!quoted) return undefined
  const { quote, value } = quoted
  if (quote === '"' && uuid.test(value)) return { type: 'uuid', value: canonicalUuid(value) }
  if (quote === '"' && isAddress(value)) {
    const address = parseIp(value)
    if (address) return { type: 'ip_addr', value: formatIp(address) }
  }
  return { type: 'string', value }
}

export function canonicalUuid(text: string): string {
  const digits = text.replaceAll('-', '').toLowerCase()
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** IPv6 only in lower case and without an IPv4 tail. */
const isAddress = (text: string): boolean =>
  isIp(text) && !(text.includes(':') && (text.includes('.') || /[A-F]/.test(text)))
