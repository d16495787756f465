import type { Chance } from './chance.ts'
import type { Draft } from './draft.ts'

/** Texts that have broken real servers. */
export const nasty: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u{1f980}',
  '\ufeff',
  '\u202etxt',
  'ﬁ',
  'İ',
  'é'.repeat(600),
  'x'.repeat(5000),
  'x'.repeat(100_000),
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '9223372036854775808',
  '18446744073709551616',
  '9'.repeat(400),
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  "' OR 1=1 --",
  "'; DROP TABLE project; --",
  '" OR ""="',
  '\\',
  '%',
  '_',
  '%%%s%n%x',
  '$1',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd\0.png',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]:22/',
  'gopher://127.0.0.1:5432/_',
  '\r\nset-cookie: session=x',
  '$(id)',
  '`id`',
  '|id',
  '__proto__',
  'constructor',
  'toString',
  'urn:uuid:00000000-0000-0000-0000-000000000000',
  '{00000000-0000-0000-0000-000000000000}',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '256.256.256.256',
  '0177.0.0.1',
  '::ffff:1.2.3.4%eth0',
  '0.0.0.0/33',
  '::/129',
  '65536',
  '443-80',
  'a'.repeat(63),
  'a'.repeat(64),
  '-a',
  'A',
]

const numbers: readonly unknown[] = [
  0,
  -0,
  -1,
  1,
  0.5,
  1e-320,
  255,
  256,
  65_535,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  2 ** 64,
  1e308,
  -1e308,
]
const strange: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { type: 'x' },
  ...numbers,
  ...nasty,
]

/** Replaces, removes or adds something at a random place inside a body. */
function bend(value: unknown, chance: Chance): unknown {
  if (typeof value !== 'object' || value === null || chance.odds(15)) return chance.pick(strange)
  if (Array.isArray(value)) {
    if (value.length === 0 || chance.odds(20)) return [...value, chance.pick(strange)]
    const at = chance.below(value.length)
    if (chance.odds(20)) return Array.from({ length: chance.pick([2, 65, 1001]) }, () => value[at] as unknown)
    return value.map((item: unknown, index) => (index === at ? bend(item, chance) : item))
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return { [chance.pick(nasty)]: chance.pick(strange) }
  const at = chance.below(entries.length)
  const how = chance.below(10)
  if (how === 0) return Object.fromEntries(entries.filter((_, index) => index !== at))
  if (how === 1) return { ...value, [chance.pick(nasty)]: chance.pick(strange) }
  if (how === 2)
    return JSON.parse(`{"__proto__":${JSON.stringify(value)},"constructor":{"prototype":{"x":1}}}`)
  return Object.fromEntries(
    entries.map(([key, inner], index) => [key, index === at ? bend(inner, chance) : inner]),
  )
}

type Change = (draft: Draft, chance: Chance) => void

const jsonOf = ({ body, text }: Draft): string =>
  typeof text === 'string' ? text : (JSON.stringify(body) ?? '')

/** Mutations that leave a request nearly valid. */
const mutations: readonly Change[] = [
  (draft, chance) => void (draft.body = bend(draft.body ?? {}, chance)),
  (draft, chance) => void (draft.body = bend(bend(draft.body ?? {}, chance), chance)),
  (draft, chance) => {
    const at = chance.below(draft.query.length + 1)
    const [key = chance.pick(['project', 'limit', 'page_token', 'x'])] = draft.query[at] ?? []
    draft.query.splice(at, 1, [key, chance.pick(nasty)])
  },
  (draft, chance) => void draft.query.splice(chance.below(draft.query.length + 1), 1),
  (draft, chance) =>
    void draft.query.push(...draft.query, ['limit', chance.pick(['0', '-1', '1.5', '4294967296'])]),
  (draft, chance) =>
    void draft.query.push(['page_token', chance.pick([...nasty, 'eyJ2IjoxfQ==', btoa('{"name":1}')])]),
  (draft, chance) => void draft.query.push(['sort_by', chance.pick(nasty)]),
  (draft, chance) =>
    void (draft.headers['if-match'] = chance.pick([
      '*',
      '"1"',
      '1',
      'W/"1"',
      ',',
      '""',
      '"1", "2"',
      '"9e99"',
      'x'.repeat(9000),
    ])),
  (draft, chance) =>
    void (draft.headers['last-event-id'] = chance.pick([
      '-1',
      'x',
      '999999999999999',
      '9'.repeat(30),
      '1.5',
      '',
    ])),
  (draft, chance) =>
    void (draft.headers['content-type'] = chance.pick([
      '',
      'text/plain',
      'application/json; charset=utf-7',
      'application/json;;;',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
      'APPLICATION/JSON',
    ])),
  (draft, chance) => void (draft.text = jsonOf(draft).slice(0, chance.below(jsonOf(draft).length + 1))),
  (draft) => void (draft.text = `${jsonOf(draft)}}`),
  (draft) => void (draft.text = `\ufeff${jsonOf(draft)}`),
  (draft) => void (draft.text = jsonOf(draft).replace('{', '{"name":"twice","name":"again",')),
  (draft, chance) => {
    const bytes = new TextEncoder().encode(jsonOf(draft) || 'x')
    bytes[chance.below(bytes.length)] = chance.pick([0, 0x80, 0xc0, 0xff])
    draft.text = bytes
  },
  (draft, chance) => {
    const segments = draft.path.split('/')
    segments[chance.between(1, segments.length - 1)] = encodeURIComponent(
      chance.pick(nasty).replace(/[\ud800-\udfff]/g, '?'),
    )
    draft.path = segments.join('/')
  },
]

const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth)
const bomb =
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">' +
  '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d SYSTEM "file:///etc/passwd">]><a>&c;&d;</a>'

/** Mutations with malicious intent. */
const attacks: readonly Change[] = [
  (draft, chance) =>
    void (draft.method = chance.pick(['PUT', 'POST', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND'])),
  (draft, chance) => {
    draft.headers['x-http-method-override'] = chance.pick(['DELETE', 'PUT'])
    draft.query.push(['_method', 'DELETE'])
  },
  (draft, chance) =>
    void (draft.text = deep(chance.pick(['[', '{"a":', '[{"a":']), '', chance.pick([100, 10_000, 200_000]))),
  (draft, chance) => void (draft.text = deep('[', ']', chance.pick([100, 5000, 100_000]))),
  (draft, chance) =>
    void (draft.text = JSON.stringify({ name: 'x'.repeat(1024 * 1024 - chance.below(40) + 20) })),
  (draft) => void (draft.text = `{"a":${'9'.repeat(200_000)}}`),
  (draft) => void (draft.text = `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":${n}`).join()}}`),
  (draft, chance) =>
    void (draft.path = draft.path.replace(
      /[^/]+$/,
      chance.pick([
        '..%2f..%2fetc%2fpasswd',
        '%2e%2e',
        '%00',
        '%',
        '%ff%fe',
        '%ed%a0%80',
        ';a=b',
        '%252e',
        '%0d%0aset-cookie:x=y',
        'a'.repeat(8000),
      ]),
    )),
  (draft, chance) =>
    void (draft.path = chance.pick([
      `/${draft.path}`,
      `${draft.path}//`,
      `${draft.path}/..`,
      draft.path.toUpperCase(),
      `/v1/../v1${draft.path}`,
      `${draft.path}.json`,
    ])),
  (draft, chance) => {
    for (let n = 0; n < 2000; n++)
      draft.query.push([chance.pick(['project', 'limit', '__proto__', 'a[]']), String(n)])
  },
  (draft, chance) =>
    void (draft.headers.cookie = chance.pick([
      'session=',
      'session=%00',
      `session=${'a'.repeat(40)}`,
      'session=a; session=b',
      `x=${'y'.repeat(7000)}`,
      '=;=;session',
    ])),
  (draft, chance) => {
    delete draft.headers.cookie
    draft.headers.authorization = chance.pick([
      'Bearer',
      'Bearer x',
      `Bearer oxide-token-${'a'.repeat(40)}`,
      `Bearer oxide-scim-${'a'.repeat(40)}`,
      'Basic YTpi',
      'Bearer oxide-token-\u00ff',
      'Negotiate x',
    ])
  },
  (draft, chance) =>
    void (draft.headers.origin = chance.pick([
      'null',
      'http://evil.example',
      'http://localhost',
      'http://localhost:1',
      'x',
      '',
    ])),
  (draft, chance) =>
    void (draft.headers['sec-fetch-site'] = chance.pick([
      'cross-site',
      'same-site',
      'same-origin',
      'none',
      'x',
    ])),
  (draft, chance) =>
    void (draft.headers.host = chance.pick(['evil.example', 'a b', '[::1', '', '@', 'localhost:99999'])),
  (draft, chance) => {
    draft.headers['x-forwarded-for'] = chance.pick(['127.0.0.1', "' OR 1", '::1, x'])
    draft.headers['user-agent'] = chance.pick(nasty.filter((text) => /^[\x20-\x7e]*$/.test(text)))
  },
  (draft, chance) =>
    void (draft.headers['content-length'] = chance.pick(['-1', '0', '1', '99999999999', 'x'])),
  (draft, chance) =>
    void (draft.headers['api-version'] = chance.pick(['', 'latest', '9999999999.0.0', '1'.repeat(100)])),
  (draft, chance) => void (draft.headers['content-encoding'] = chance.pick(['gzip', 'br', 'x', 'identity'])),
  (draft, chance) =>
    void (draft.headers.accept = chance.pick(['text/html', 'image/*', '*/*;q=0', 'application/xml', ';;,'])),
  (draft, chance) =>
    void (draft.headers['content-digest'] = chance.pick(['', 'sha-256=:x:', 'md5=:AA==:', 'sha-256=::'])),
  (draft, chance) => {
    const xml = chance.pick([bomb, bomb.repeat(50), '<a>'.repeat(50_000), '<a', '', '\0'])
    const given = chance.pick([btoa(xml), xml, '%%%', btoa(xml).slice(1)])
    draft.text = new URLSearchParams({
      SAMLResponse: given,
      RelayState: chance.pick(nasty).replace(/[\ud800-\udfff]/g, ''),
    }).toString()
    draft.headers['content-type'] = 'application/x-www-form-urlencoded'
  },
  (draft, chance) => {
    const source = chance.pick([
      { type: 'base64_encoded_xml', data: btoa(bomb) },
      { type: 'base64_encoded_xml', data: btoa('<a>'.repeat(20_000)) },
      { type: 'url', url: 'http://169.254.169.254/latest/meta-data/' },
      { type: 'url', url: 'file:///etc/passwd' },
    ])
    draft.body = { ...(draft.body as object | undefined), idp_metadata_source: source }
  },
  (draft, chance) => {
    if (draft.query.length > 0) draft.query = draft.query.map(([key]) => [key, chance.pick(nasty)])
    else draft.query = [[chance.pick(['project', 'silo', 'text']), chance.pick(nasty)]]
  },
]

export const mutate: Change = (draft, chance) => chance.pick(mutations)(draft, chance)
export const attack: Change = (draft, chance) => {
  chance.pick(attacks)(draft, chance)
  if (chance.odds(30)) mutate(draft, chance)
}
