import { defaultSettings } from '@gantry/control-plane/settings'
import { expect, test } from 'vitest'
import { helpText, readCommandLine } from './command-line.ts'
import { commands } from './commands/registry.ts'

/** Operands of commands that take no version. */
const operands: Readonly<Record<string, string | undefined>> = { fleet: 'continue' }
const defaults = {
  port: 8080,
  host: '127.0.0.1',
  dataDir: './data',
  database: undefined,
  empty: false,
  role: 'all',
  fleet: 'simulated',
  adminPort: undefined,
  dnsZone: 'localhost',
  origins: [],
  trustProxy: false,
  secure: false,
  tls: undefined,
  httpPort: undefined,
  demoPassword: undefined,
  logLevel: 'info',
  settings: defaultSettings,
  keys: [],
}

test.each([
  ['', {}, {}],
  ['--port 0 --host ::1', {}, { port: 0, host: '::1' }],
  [
    '--data-dir /srv/gantry --empty --trust-proxy',
    {},
    { dataDir: '/srv/gantry', empty: true, trustProxy: true },
  ],
  ['--port=9000', { GANTRY_PORT: '9001', GANTRY_HOST: '0.0.0.0' }, { port: 9000, host: '0.0.0.0' }],
  ['', { GANTRY_DATABASE: 'postgres://u:p@h/d' }, { database: 'postgres://u:p@h/d' }],
  ['--fleet qemu', {}, { fleet: 'qemu' }],
  ['', { GANTRY_FLEET: 'qemu' }, { fleet: 'qemu' }],
  ['--fleet simulated', { GANTRY_FLEET: 'qemu' }, {}],
  ['--role stream --database postgres://u:p@h/d', {}, { role: 'stream', database: 'postgres://u:p@h/d' }],
  ['', { GANTRY_DATABASE: '', GANTRY_DEMO_PASSWORD: '', GANTRY_LOG: '' }, {}],
  [
    '--admin-port 9100 --secure',
    { GANTRY_DEMO_PASSWORD: 'pebble-quarry-lamp', GANTRY_LOG: 'warn' },
    { adminPort: 9100, secure: true, demoPassword: 'pebble-quarry-lamp', logLevel: 'warn' },
  ],
  [
    '--origin https://a.example --origin https://b.example:8443/',
    {},
    { origins: ['https://a.example', 'https://b.example:8443'], secure: true },
  ],
  ['--dns-zone cloud.example', { GANTRY_DNS_ZONE: 'x' }, { dnsZone: 'cloud.example' }],
  ['', { GANTRY_DNS_ZONE: 'cloud.example' }, { dnsZone: 'cloud.example' }],
  [
    '--tls-cert c --tls-key k --http-port 80',
    {},
    { tls: { certFile: 'c', keyFile: 'k' }, httpPort: 80, secure: true },
  ],
  [
    '--tls-key k2',
    { GANTRY_TLS_CERT: 'c', GANTRY_TLS_KEY: 'k', GANTRY_HTTP_PORT: '' },
    { tls: { certFile: 'c', keyFile: 'k2' }, secure: true },
  ],
  ['--origin http://a.example', {}, { origins: ['http://a.example'] }],
])('serve %s with %o', (args, env, expected) => {
  const words = ['serve', ...args.split(' ').filter(Boolean)]
  expect(readCommandLine(words, env)).toEqual({ kind: 'serve', options: { ...defaults, ...expected } })
})

test.each([
  ['--help', { kind: 'help', of: undefined }],
  ['serve --port nonsense --help', { kind: 'help', of: 'serve' }],
  ['backup -h', { kind: 'help', of: 'backup' }],
  ['--version', { kind: 'version' }],
  ['restore --version', { kind: 'version' }],
])('%s', (args, expected) => expect(readCommandLine(args.split(' '), {})).toEqual(expected))

const clean = { tag: undefined, isDryRun: false, isConfirmed: false }
test.each([
  ['continue', {}],
  ['shut-down --wait 5', { waitSeconds: 5 }],
  ['clean', {}],
  ['clean --dry-run --tag 01c9ef', { clean: { ...clean, tag: '01c9ef', isDryRun: true } }],
  ['clean --yes --data-dir /d', { dataDir: '/d', clean: { ...clean, isConfirmed: true } }],
])('fleet %s', (args, expected) => {
  const [action] = args.split(' ')
  expect(readCommandLine(['fleet', ...args.split(' ')], {})).toEqual({
    kind: 'fleet',
    options: { action, dataDir: './data', waitSeconds: 90, clean, ...expected },
  })
})

const place = { dataDir: './data', database: undefined }
const url = 'postgres://u:p@h/d'
test.each([
  ['backup file.tgz', {}, { kind: 'backup', options: { ...place, file: 'file.tgz' } }],
  [
    'backup --database postgres://u:p@h/d f',
    {},
    { kind: 'backup', options: { ...place, database: url, file: 'f' } },
  ],
  ['restore f --data-dir /d', {}, { kind: 'restore', options: { ...place, dataDir: '/d', file: 'f' } }],
  [
    'restore f',
    { GANTRY_DATABASE: url },
    { kind: 'restore', options: { ...place, database: url, file: 'f' } },
  ],
  [
    'doctor --json --port 1 --origin https://a.example --admin-port 9100 --dns-zone cloud.example --empty',
    { GANTRY_DATA_DIR: '/d' },
    {
      kind: 'doctor',
      options: {
        ...place,
        dataDir: '/d',
        port: 1,
        host: '127.0.0.1',
        origins: ['https://a.example'],
        secure: true,
        trustProxy: false,
        tls: undefined,
        settings: defaultSettings,
        keys: [],
        fleet: 'simulated',
        json: true,
      },
    },
  ],
])('%s with %o', (args, env, expected) => {
  expect(readCommandLine(args.split(' '), env)).toEqual(expected)
})

test.each(Object.entries(commands))(
  'the help of %s describes each of its options',
  (name, { help, flags }) => {
    for (const flag of Object.keys(flags)) expect(help).toContain(`--${flag}`)
    expect(help).toMatch(new RegExp(`^Usage: gantry ${name} `))
    expect(helpText).toContain(`  ${name} `)
    expect(help.split('\n').filter((line) => line.length > 100)).toEqual([])
  },
)

test.each(Object.keys(commands) as (keyof typeof commands)[])(
  'the help of %s describes each variable of the environment that it reads',
  (name) => {
    const read = new Set<string>()
    const env = new Proxy<Record<string, string>>(
      {},
      { get: (_, variable) => void read.add(String(variable)) },
    )
    const { help, operand } = commands[name]
    expect(
      readCommandLine(operand === undefined ? [name] : [name, operands[name] ?? '1.2.0'], env),
    ).toMatchObject({
      kind: name,
    })
    expect([...new Set(help.match(/GANTRY_\w+/g))].sort()).toEqual([...read].sort())
  },
)

test.each([
  ['', {}, 'Say what to do: gantry serve. There are serve, backup, restore, doctor, fleet and sample.'],
  ['start', {}, 'There is no command start. There are serve, backup, restore, doctor, fleet and sample.'],
  ['--help=1 serve', {}, "Option '-h, --help' does not take an argument."],
  ['sample latest', {}, '"latest" is no semantic version such as 1.2.0.'],
  ['-- serve', {}, 'Put the command first: gantry serve.'],
  ['backup', {}, 'Say which: gantry backup FILE.'],
  ['backup a b', {}, 'backup takes only options and one FILE, and b is none.'],
  ['restore a --port 1', {}, "Unknown option '--port'."],
  ['serve now', {}, 'serve takes only options, and now is none.'],
  ['serve --prot 1', {}, "Unknown option '--prot'."],
  ['fleet clear', {}, 'gantry fleet takes one of shut-down, continue, clean, and "clear" is none.'],
  ['fleet continue --yes', {}, '--tag, --dry-run and --yes belong to gantry fleet clean.'],
  ['fleet clean --tag 1', {}, '--tag takes six hexadecimal digits, and "1" are none.'],
  ['serve --fleet xen', {}, '--fleet takes one of simulated, qemu, and "xen" is none.'],
  [
    'serve --fleet qemu --role stream --database postgres://u:p@h/d',
    {},
    '--fleet qemu is served by one process: leave --role stream out.',
  ],
  ['serve --role streams', {}, '--role takes one of all, stream, and "streams" is none.'],
  [
    'serve --role stream',
    {},
    '--role stream takes --database: the embedded database serves one process only.',
  ],
  ['serve --port', {}, "Option '--port <value>' argument missing."],
  ['serve --empty=yes', {}, "Option '--empty' does not take an argument."],
  [
    'serve --tls-cert c',
    {},
    '--tls-cert and --tls-key belong together: give the certificate and its private key.',
  ],
  ['serve --http-port 80', {}, '--http-port redirects to https, which takes --tls-cert and --tls-key.'],
  ['serve --port 65536', {}, '--port takes a number from 0 to 65535, and "65536" is none.'],
  ['serve --dns-zone *.example', {}, '--dns-zone takes a name like cloud.example, and "*.example" is none.'],
  ['serve --port -1', {}, "Option '--port' argument is ambiguous."],
  ['serve', { GANTRY_PORT: '80a' }, '--port takes a number from 0 to 65535, and "80a" is none.'],
  [
    'serve --database mysql://u:secret@h/d',
    {},
    '--database takes an address like postgres://user:password@host:5432/name.',
  ],
  [
    'serve --origin a.example',
    {},
    '--origin takes an address like https://gantry.example, and "a.example" is none.',
  ],
  [
    'serve --origin https://a.example/path',
    {},
    '--origin takes an address like https://gantry.example, and "https://a.example/path" is none.',
  ],
  [
    'serve',
    { GANTRY_LOG: 'loud' },
    'GANTRY_LOG takes one of trace, debug, info, warn, error, fatal, silent, and "loud" is none.',
  ],
  [
    'serve',
    { GANTRY_DEMO_PASSWORD: 'demo-demo' },
    'GANTRY_DEMO_PASSWORD cannot be used: a password must have at least 12 characters. Choose another, or leave it out: the ' +
      'first start then makes one.',
  ],
  [
    'serve',
    { GANTRY_DEMO_PASSWORD: 'recovery-2026' },
    'GANTRY_DEMO_PASSWORD cannot be used: this password is easy to guess: it consists of common words, names, ' +
      'repetitions or adjacent keys. Choose another, or leave it out: the first start then makes one.',
  ],
])('%j with %o is an error', (args, env, sentence) => {
  expect(readCommandLine(args.split(' ').filter(Boolean), env)).toEqual({ kind: 'mistake', sentence })
})

const stringFlags = Object.entries(commands).flatMap(([name, { flags, operand }]) =>
  Object.entries(flags)
    .filter(([, { type }]) => type === 'string')
    .map(([flag]) => ({
      flag,
      // A file may have such a name, and a version must.
      words: operand === undefined ? [name] : [name, operands[name] ?? '1.2.0'],
    })),
)

test.each(stringFlags)('$words refuses an empty $flag', ({ flag, words }) => {
  for (const empty of ['', ' ']) {
    expect(readCommandLine([...words, `--${flag}`, empty], {})).toEqual({
      kind: 'mistake',
      sentence: `--${flag} must not be empty: give it a value, or leave it out.`,
    })
  }
})

test.each(['backup', 'restore'])('%s refuses an empty file name', (name) => {
  expect(readCommandLine([name, ''], {})).toEqual({
    kind: 'mistake',
    sentence: `Say which: gantry ${name} FILE.`,
  })
})
