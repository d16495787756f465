import { logLevels } from '../../log.ts'
import { type Command, commonHelp } from '../command.ts'
import { runServer } from '../run-server.ts'
import { keysOf } from '../secrets.ts'
import type { ServeOptions } from '../serve-options.ts'
import { settingsOf } from '../settings-file.ts'
import {
  certificateFilesOf,
  databaseOf,
  dataDirOf,
  demoPasswordOf,
  filled,
  fleetOf,
  logLevelOf,
  Mistake,
  originOf,
  portOf,
  roleOf,
  zoneOf,
} from '../values.ts'

export const serve: Command<ServeOptions> = {
  summary: 'serves the console and its API',
  help: `Usage: gantry serve [options]

Serves the Gantry console and its API.

Options:
  --port NUMBER        port to listen on (8080; 0 takes a free one)
  --host ADDRESS       address to listen on (127.0.0.1)
  --data-dir FOLDER    where disks and the embedded database are kept (./data)
  --database URL       a PostgreSQL server, postgres://user:password@host/name,
                       instead of the embedded database
  --empty              start without demo contents: only the recovery silo and its administrator
  --role ROLE          all, or stream for a process that serves the stream of changes only,
                       beside others on the same PostgreSQL server (all)
  --fleet NAME         what runs instances: simulated, or qemu for real machines on this host
                       (simulated)
  --origin URL         address by which browsers reach the server; may be repeated.
                       Requests for other host names are refused
  --dns-zone NAME      zone of the silos' host names, SILO.sys.NAME (localhost)
  --tls-cert FILE      serve https with this certificate chain (PEM), and with those that silos
                       keep for their host names; --tls-key FILE is its private key
  --http-port NUMBER   with --tls-cert: port on which pages are redirected to https
  --secure             browsers reach the server by https
  --trust-proxy        trust the X-Forwarded headers of the proxy in front
  --settings FILE      limits, retention and other settings, as JSON (docs/settings.md)
  --key-file FILE      keys that seal the secrets in the database, the first of them new ones
  --admin-port NUMBER  serve Prometheus metrics on this port of the loopback address
${commonHelp}
Environment:
  GANTRY_PORT, GANTRY_HOST, GANTRY_DATA_DIR, GANTRY_DATABASE, GANTRY_DNS_ZONE, GANTRY_FLEET,
  GANTRY_SETTINGS, GANTRY_TLS_CERT, GANTRY_TLS_KEY, GANTRY_HTTP_PORT
                         the same as the options, which take precedence
  GANTRY_DEMO_PASSWORD   password of the first users, instead of a generated one;
                         at least 12 characters and not easy to guess
  GANTRY_KEY             the keys themselves, if there is no key file
  GANTRY_LOG             ${logLevels.join(', ')} (info)
`,
  flags: {
    port: { type: 'string' },
    host: { type: 'string' },
    'data-dir': { type: 'string' },
    database: { type: 'string' },
    empty: { type: 'boolean' },
    role: { type: 'string' },
    fleet: { type: 'string' },
    'admin-port': { type: 'string' },
    settings: { type: 'string' },
    'key-file': { type: 'string' },
    'dns-zone': { type: 'string' },
    origin: { type: 'string', multiple: true },
    'trust-proxy': { type: 'boolean' },
    secure: { type: 'boolean' },
    'tls-cert': { type: 'string' },
    'tls-key': { type: 'string' },
    'http-port': { type: 'string' },
  },
  read({ text, texts, isSet }, env) {
    const origins = texts('origin').map(originOf)
    const adminPort = text('admin-port')
    const database = databaseOf(text('database') ?? env['GANTRY_DATABASE'])
    const tls = certificateFilesOf(
      text('tls-cert') ?? env['GANTRY_TLS_CERT'],
      text('tls-key') ?? env['GANTRY_TLS_KEY'],
    )
    const role = roleOf(text('role') ?? 'all', database)
    const httpPort = text('http-port') ?? env['GANTRY_HTTP_PORT']
    if (httpPort && !tls)
      throw new Mistake('--http-port redirects to https, which takes --tls-cert and --tls-key.')
    return {
      port: portOf('--port', text('port') ?? env['GANTRY_PORT'] ?? '8080'),
      host: filled('--host', text('host') ?? env['GANTRY_HOST'] ?? '127.0.0.1'),
      dataDir: dataDirOf(text('data-dir'), env),
      database,
      empty: isSet('empty') ?? false,
      role,
      fleet: fleetOf(text('fleet') || env['GANTRY_FLEET'] || 'simulated', role),
      adminPort: adminPort === undefined ? undefined : portOf('--admin-port', adminPort),
      dnsZone: zoneOf(text('dns-zone') ?? env['GANTRY_DNS_ZONE'] ?? 'localhost'),
      origins,
      trustProxy: isSet('trust-proxy') ?? false,
      // If all origins are https, the flag is implied.
      secure:
        tls !== undefined ||
        (isSet('secure') ?? (origins.length > 0 && origins.every((origin) => origin.startsWith('https:')))),
      tls,
      httpPort: httpPort ? portOf('--http-port', httpPort) : undefined,
      demoPassword: demoPasswordOf(env['GANTRY_DEMO_PASSWORD']),
      logLevel: logLevelOf(env['GANTRY_LOG'] || 'info'),
      settings: settingsOf(text('settings') ?? env['GANTRY_SETTINGS']),
      keys: keysOf(text('key-file'), env),
    }
  },
  run: runServer,
}
