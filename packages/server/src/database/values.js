/**
 * How PostgreSQL's texts become JavaScript values, alike for both drivers. JavaScript rather than TypeScript
 * because the PGlite worker reads it too, and Node 20 runs a worker from its file as it is.
 */

/**
 * A number where it is exact; a bigint beyond, so that nothing is rounded in silence.
 * @param {string} text
 */
function parseInt8(text) {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/**
 * Timestamps without a zone are read as UTC. PostgreSQL writes `+00` where a date needs `+00:00`.
 * @param {string} text
 */
function parseTimestamp(text) {
  // What our own sessions, which run in UTC, always send.
  if (text.endsWith('+00')) return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
  const zone = /[+-]\d\d(:\d\d){0,2}$/.exec(text)
  const iso = text.replace(' ', 'T')
  if (!zone) return new Date(`${iso}Z`)
  return new Date(zone[1] ? iso : `${iso}:00`)
}

/**
 * The `hex` output format, which is the default of every supported version.
 * @param {string} text
 */
function parseBytea(text) {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
}

/**
 * By type id: bytea, int8, date (kept as text: a day is no instant), timestamp, timestamptz, interval, numeric.
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
