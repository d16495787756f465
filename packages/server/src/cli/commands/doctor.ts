import { examine } from '../../doctor/doctor.ts'
import type { Finding } from '../../doctor/finding.ts'
import { type Command, commonHelp } from '../command.ts'
import { serve } from './serve.ts'
import type { ServeOptions } from '../serve-options.ts'

type DoctorOptions = Pick<
  ServeOptions,
  | 'port'
  | 'host'
  | 'dataDir'
  | 'database'
  | 'origins'
  | 'secure'
  | 'trustProxy'
  | 'tls'
  | 'settings'
  | 'keys'
  | 'fleet'
> & { json: boolean }

export const doctor: Command<DoctorOptions> = {
  summary: 'checks everything that a server needs, and says how to fix it',
  help: `Usage: gantry doctor [options]

Checks the program, the data directory, the database, the clock, the disk, the port and the
certificate, with the options that the server is started with. It changes nothing, and the server
may run meanwhile. Each line is ok, a warning or a problem with what to do; with a problem the
command ends with 1.

Options:
  --port, --host, --data-dir, --database, --origin, --secure, --trust-proxy, --tls-cert, --tls-key,
  --settings, --key-file, --fleet
                       as of gantry serve
  --admin-port, --dns-zone, --empty, --http-port, --role
                       taken, so that all options of a server can be given, and not looked at
  --json               findings as JSON
${commonHelp}
Environment:
  GANTRY_PORT, GANTRY_HOST, GANTRY_DATA_DIR, GANTRY_DATABASE, GANTRY_FLEET, GANTRY_SETTINGS,
  GANTRY_TLS_CERT, GANTRY_TLS_KEY, GANTRY_DNS_ZONE, GANTRY_HTTP_PORT
                       the same as the options, which take precedence
  GANTRY_KEY           the keys themselves, if there is no key file
  GANTRY_DEMO_PASSWORD, GANTRY_LOG
                       checked as by gantry serve, and not used
`,
  flags: { ...serve.flags, json: { type: 'boolean' } },
  read(values, env, operand) {
    const asked = serve.read(values, env, operand)
    const { port, host, dataDir, database, origins, secure, trustProxy, tls, settings, keys, fleet } = asked
    return {
      port,
      host,
      dataDir,
      database,
      origins,
      secure,
      trustProxy,
      tls,
      settings,
      keys,
      fleet,
      json: values.isSet('json') ?? false,
    }
  },
  async run({ version, files }, { json, ...options }) {
    const findings = await examine({ ...options, files })
    const isWell = findings.every(({ state }) => state !== 'problem')
    const text = json
      ? `${JSON.stringify({ version, ok: isWell, findings }, null, 2)}\n`
      : findings.map(lineOf).join('')
    process.stdout.write(text)
    process.exitCode = isWell ? 0 : 1
  },
}

function lineOf({ check, state, message, advice }: Finding): string {
  const line = `${state.padEnd(9)}${check.padEnd(16)}${message}\n`
  return advice === undefined ? line : `${line}${' '.repeat(25)}${advice}\n`
}
