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
