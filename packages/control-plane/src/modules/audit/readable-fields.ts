import { notShown } from '@gantry/api/system/audit.rules'
import { firstOf, isLonger } from '@gantry/api/base/text.rules'
import { formatMac } from '../network/addresses/ip.ts'

/** Columns that hold or may hold a secret: people put passwords and keys into user data. */
const secretColumns = new Set([
  'user_data',
  'secret',
  'password',
  'hash',
  'token_hash',
  'secret_hash',
  'code_hash',
  'password_hash',
  'private_key',
  'key',
])
/** Longer texts, such as an identity provider's metadata, are cut. */
const shownChars = 4096

/** Repeated for look-ups, beside the text that people read. */
const repeated = new Set(['ip_int', 'ip_key', 'ipv6_offset', 'first_int', 'last_int', 'folded_name'])

function readable([column, value]: [string, unknown]): [string, unknown][] {
  if (repeated.has(column)) return []
  if (column === 'mac_int') return [['mac', typeof value === 'number' ? formatMac(value) : value]]
  return [[column, value]]
}

/** A row for readers: addresses as text, secrets replaced, long texts cut. */
export function readableFields(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row)
      .flatMap(readable)
      .map(([column, value]) => {
        if (secretColumns.has(column)) return [column, value === '' || value === null ? value : notShown]
        if (typeof value === 'string' && isLonger(value, shownChars))
          return [column, `${firstOf(value, shownChars)}…`]
        return [column, value]
      }),
  )
}
