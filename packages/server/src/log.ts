import pino, { type DestinationStream, type Logger } from 'pino'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Names of secret fields, at the top of a record and one level below. */
const secrets = [
  'password',
  'secret',
  'token',
  'cookie',
  'authorization',
  '["set-cookie"]',
  'device_code',
  'user_code',
]
const paths = secrets.flatMap((name) => (name.startsWith('[') ? [name, `*${name}`] : [name, `*.${name}`]))

/** Bytes of records that are kept for support bundles. */
const KEPT_BYTES = 4 * 1024 ** 2

/** Passes records on, and keeps the newest of them. */
export function keepNewest(
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
  atMost = KEPT_BYTES,
): DestinationStream & { kept: () => readonly string[] } {
  const lines: string[] = []
  let size = 0
  return {
    write(line) {
      destination.write(line)
      lines.push(line)
      size += line.length
      while (size > atMost && lines.length > 1) size -= lines.shift()?.length ?? 0
    },
    kept: () => [...lines],
  }
}

/** JSON lines on stderr, written synchronously: the log before a crash explains it. */
export function jsonLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  const { err } = pino.stdSerializers
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err, error: err, cause: err },
      redact: { paths, censor: '[secret]' },
    },
    destination,
  )
}
