import { parseArgs } from 'node:util'
import { logLevels, type LogLevel } from '../log.ts'

export interface ServeOptions {
  port: number
  host: string
  dataDir: string
  database: string | undefined
  empty: boolean
  adminPort: number | undefined
  /** Silos have their host names in it. */
  dnsZone: string
  origins: string[]
  trustProxy: boolean
  secure: boolean
  demoPassword: string | undefined
  logLevel: LogLevel
}

export type Command =
  | { kind: 'serve'; options: ServeOptions }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'mistake'; sentence: string }

export const helpText = `Usage: gantry serve [options]

Serves the Gantry console and its API.

Options:
  --port NUMBER        port to listen on (8080; 0 takes a free one)
  --host ADDRESS       address to listen on (127.0.0.1)
  --data-dir FOLDER    where disks and the embedded database are kept (./data)
  --database URL       a PostgreSQL server, postgres://user:password@host/name,
                       instead of the embedded database
  --empty              start without demo contents: only the recovery silo and its administrator
  --origin URL         address by which browsers reach the server; may be repeated
  --dns-zone NAME      zone of the silos' host names, SILO.sys.NAME (localhost)
  --secure             browsers reach the server by https
  --trust-proxy        believe the X-Forwarded headers of the proxy in front
  --admin-port NUMBER  serve Prometheus metrics on this port of the loopback address
  --help, --version

Environment:
  GANTRY_PORT, GANTRY_HOST, GANTRY_DATA_DIR, GANTRY_DATABASE, GANTRY_DNS_ZONE
                         the same as the options, which win
  GANTRY_DEMO_PASSWORD   password of the first users, instead of a generated one
  GANTRY_LOG             ${logLevels.join(', ')} (info)
`

const flags = {
  port: { type: 'string' },
  host: { type: 'string' },
  'data-dir': { type: 'string' },
  database: { type: 'string' },
  empty: { type: 'boolean' },
  'admin-port': { type: 'string' },
  'dns-zone': { type: 'string' },
  origin: { type: 'string', multiple: true },
  'trust-proxy': { type: 'boolean' },
  secure: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

class Mistake extends Error {}

/** What a command line and an environment ask for; what is wrong with them, as a sentence. */
export function readCommandLine(args: readonly string[], env: Record<string, string | undefined>): Command {
  try {
    return read(args, env)
  } catch (error) {
    if (!(error instanceof Mistake)) throw error
    return { kind: 'mistake', sentence: error.message }
  }
}

function read(args: readonly string[], env: Record<string, string | undefined>): Command {
  const { values, positionals } = parse(args)
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }
  const [command, extra] = positionals
  if (command === undefined) throw new Mistake('Say what to do: gantry serve.')
  if (command !== 'serve') throw new Mistake(`There is no command ${command}. The only one is serve.`)
  if (extra !== undefined) throw new Mistake(`serve takes only options, and ${extra} is none.`)

  const origins = (values.origin ?? []).map(originOf)
  const adminPort = values['admin-port']
  return {
    kind: 'serve',
    options: {
      port: portOf('--port', values.port ?? env['GANTRY_PORT'] ?? '8080'),
      host: filled('--host', values.host ?? env['GANTRY_HOST'] ?? '127.0.0.1'),
      dataDir: filled('--data-dir', values['data-dir'] ?? env['GANTRY_DATA_DIR'] ?? './data'),
      database: databaseOf(values.database ?? env['GANTRY_DATABASE']),
      empty: values.empty ?? false,
      adminPort: adminPort === undefined ? undefined : portOf('--admin-port', adminPort),
      dnsZone: zoneOf(values['dns-zone'] ?? env['GANTRY_DNS_ZONE'] ?? 'localhost'),
      origins,
      trustProxy: values['trust-proxy'] ?? false,
      // Addresses that are all https say it as well as the flag.
      secure: values.secure ?? (origins.length > 0 && origins.every((origin) => origin.startsWith('https:'))),
      demoPassword: env['GANTRY_DEMO_PASSWORD'] || undefined,
      logLevel: logLevelOf(env['GANTRY_LOG'] || 'info'),
    },
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true })
  } catch (error) {
    // Node's own sentence continues with advice about its parser.
    const sentence = (error as Error).message.split(/\. (?=To specify)|\n/)[0] ?? ''
    throw new Mistake(sentence.endsWith('.') ? sentence : `${sentence}.`)
  }
}

function portOf(flag: string, text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Mistake(`${flag} takes a number from 0 to 65535, and ${JSON.stringify(text)} is none.`)
}

function filled(flag: string, text: string): string {
  if (text.trim() !== '') return text
  throw new Mistake(`${flag} must not be empty.`)
}

/** The password in a database address is never repeated in a message. */
function databaseOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const isPostgres = URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)
  if (isPostgres) return text
  throw new Mistake('--database takes an address like postgres://user:password@host:5432/name.')
}

function zoneOf(text: string): string {
  const labels = text.split('.')
  if (labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))) return text
  throw new Mistake(`--dns-zone takes a name like cloud.example, and ${JSON.stringify(text)} is none.`)
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  if (isOrigin) return url.origin
  throw new Mistake(
    `--origin takes an address like https://gantry.example, and ${JSON.stringify(text)} is none.`,
  )
}

function logLevelOf(text: string): LogLevel {
  const level = logLevels.find((known) => known === text)
  if (level) return level
  throw new Mistake(`GANTRY_LOG takes one of ${logLevels.join(', ')}, and ${JSON.stringify(text)} is none.`)
}
