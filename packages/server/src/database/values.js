/**
 * Converts PostgreSQL's texts to JavaScript values, identically for both drivers. JavaScript rather than
 * TypeScript because the PGlite worker loads it too, and Node 20 runs a worker's file without a build.
 */

/**
 * A number if exact; otherwise a bigint, so that nothing is silently rounded.
 * @param {string} text
 */
function parseInt8(text) {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/**
 * Timestamps without a zone are read as UTC. PostgreSQL writes `+00`, and a date needs `+00:00`.
 * @param {string} text
 */
function parseTimestamp(text) {
  // The form that our own sessions always send, because they run in UTC.
  if (text.endsWith('+00')) return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
  const zone = /[+-]\d\d(:\d\d){0,2}$/.exec(text)
  const iso = text.replace(' ', 'T')
  if (!zone) return new Date(`${iso}Z`)
  return new Date(zone[1] ? iso : `${iso}:00`)
}

/**
 * The `hex` output format, the default in every supported version.
 * @param {string} text
 */
function parseBytea(text) {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
}

/**
 * By type id: bytea, int8, date (kept as text: a day is not an instant), timestamp, timestamptz, interval,
 * numeric.
 * @type {Readonly<Record<number, (text: string) => unknown>>}
 */
export const parsers = {
  17: parseBytea,
  20: parseInt8,
  1082: String,
  1114: parseTimestamp,
  1184: parseTimestamp,
  1186: String,
  1700: String,
}
