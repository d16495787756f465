import {
  type Caller,
  said,
  type TestBed,
  testControlPlane,
} from '@gantry/control-plane/testing/control-plane'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { x509Certificates } from './certificates.ts'
import {
  authority,
  clientCertificate,
  commonNameCertificate,
  ecKey,
  ecKeySec1,
  expiredCertificate,
  rsaKey,
  serverCertificate,
  wildcardCertificate,
} from './testing/certificates.ts'
import { issue, issuedKeys } from './testing/self-signed.ts'

const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
/** As `openssl ecparam` writes the curve P-256. */
const curve = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'
const host = 'acme.sys.example'

test.each([
  ['one', serverCertificate, [true]],
  [
    'a chain, with words around it',
    `the leaf\n${serverCertificate}\nand above it\n${authority}`,
    [true, false],
  ],
  ['the end of a line as Windows has it', serverCertificate.replaceAll('\n', '\r\n'), [true]],
  ['a wildcard', wildcardCertificate, [true]],
  ['a common name alone', commonNameCertificate, [true]],
  ['nothing', '', []],
  ['a key', ecKey, []],
])('of %s the facts say which are for the host', (_, pem, forHost) => {
  expect(x509Certificates.readChain(pem)?.map((one) => one.isFor(host))).toEqual(forHost)
})

test.each([
  ['one that is cut', serverCertificate.slice(0, 300)],
  ['one whose middle is missing', serverCertificate.replace(/\n.{20}/, '\n')],
  [
    'a chain with an invalid second certificate',
    serverCertificate + authority.replace(/\n.{9}/, '\nzzzzzzzzz'),
  ],
])('%s cannot be parsed', (_, pem) => expect(x509Certificates.readChain(pem)).toBeUndefined())

test('subject, names, dates and fingerprint are read', () => {
  const [server] = x509Certificates.readChain(serverCertificate) ?? []
  const [byName] = x509Certificates.readChain(commonNameCertificate) ?? []
  const [wildcard] = x509Certificates.readChain(wildcardCertificate) ?? []
  expect(server).toMatchObject({
    subject: expect.stringMatching(/CN=/),
    issuer: expect.stringMatching(/CN=/),
    hosts: expect.arrayContaining([host]),
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(byName?.hosts).toEqual([host])
  expect(wildcard?.hosts).toEqual(['*.sys.example'])
  expect(server?.notBefore.getTime()).toBeLessThan(server?.notAfter.getTime() ?? 0)
})

test('a wildcard covers one label', () => {
  const [wildcard] = x509Certificates.readChain(wildcardCertificate) ?? []
  expect(
    ['a.sys.example', 'a.b.sys.example', 'sys.example', 'a.sys.example.org'].map((name) =>
      wildcard?.isFor(name),
    ),
  ).toEqual([true, false, false, false])
})

test.each([
  [ecKey, true],
  [ecKeySec1, true],
  [rsaKey, false],
  ['key', undefined],
  [serverCertificate, undefined],
])('a key %# belongs to its certificate: %j', (key, fits) => {
  expect(x509Certificates.readChain(serverCertificate)?.[0]?.hasKey(key)).toBe(fits)
})

test.each(issuedKeys)('a key of %s is named', (key) => {
  expect(x509Certificates.readChain(issue({ host, key }).cert)?.[0]?.key).toBe(key)
})

const higher = issue({ host: '*.example' })
const anyPurpose = issue({ host: 'any-purpose.sys.example', purpose: '551d2500' })

describe('creating a silo with certificates', () => {
  let bed: TestBed
  let operator: Caller
  beforeAll(async () => {
    bed = await testControlPlane({ environment: { certificates: x509Certificates, dnsZone: 'example' } })
    operator = await bed.signIn('admin')
  })
  afterAll(() => bed.stop())

  const create = (name: string, cert: string, key: string) =>
    operator.post('/v1/system/silos', {
      name,
      description: '',
      discoverable: true,
      identity_mode: 'local_only',
      quotas: { cpus: 0, memory: 0, storage: 0 },
      tls_certificates: [{ name: 'tls', description: '', cert, key, service: 'external_api' }],
    })

  test.each([
    ['pasted nonsense', 'hello', ecKey, 'Certificate exists, but is empty'],
    ['a cut one', serverCertificate.slice(0, 300), ecKey, 'Failed to parse certificate'],
    ['an expired one', expiredCertificate, ecKey, 'Certificate exists, but is expired'],
    [
      'an expired one in the chain',
      `${serverCertificate}${expiredCertificate}`,
      ecKey,
      'Certificate exists, but is expired',
    ],
    ['an authority', authority, ecKey, `Certificate not valid for given hostnames: ${host}`],
    [
      'a wildcard of another level',
      higher.cert,
      higher.key,
      `Certificate not valid for given hostnames: ${host}`,
    ],
    ['a client', clientCertificate, ecKey, 'Unsupported certificate purpose'],
    ["another's key", serverCertificate, rsaKey, 'Certificate and private key do not match'],
  ])('is refused with %s', async (_, cert, key, reason) => {
    const answer = await create('acme', cert, key)
    expect(said(answer)).toBe(`400 unsupported value for "certificate": ${reason}`)
    expect(answer.body).toMatchObject({ error_code: 'InvalidValue', help: expect.stringMatching(/\.$/) })
    expect((await operator.get('/v1/system/silos/acme')).status).toBe(404)
  })

  test('is told of a chain in the wrong order', async () => {
    const answer = await create('acme', authority + serverCertificate, ecKey)
    expect(said(answer)).toBe(
      '400 unsupported value for "certificate": Certificate not valid for given hostnames: acme.sys.example',
    )
    expect(answer.body.help).toMatch(/wrong order: the second certificate is for this host/)
  })

  test('is refused with an invalid key', async () => {
    expect(said(await create('acme', serverCertificate, 'key'))).toBe(
      '400 unsupported value for "private-key": Failed to parse private key',
    )
  })

  test.each([
    ['acme', `${serverCertificate}${authority}`, ecKey],
    ['other', wildcardCertificate, ecKeySec1],
    ['any-purpose', anyPurpose.cert, anyPurpose.key],
  ])('as %s accepts certificates for its host', async (name, cert, key) => {
    expect(said(await create(name, cert, key))).toBe('201')
  })

  const bag = 'Bag Attributes\n    friendlyName: acme\nKey Attributes: <No Attributes>\n'
  test.each<[what: string, cert: string, key: string]>([
    ['lines end as on Windows', crlf(serverCertificate + authority), crlf(ecKey)],
    ['lines end in blanks', serverCertificate.replaceAll('\n', '  \n'), ecKey],
    ['a byte order mark is before', `\uFEFF${serverCertificate}`, `\uFEFF${ecKey}`],
    ['their text is before', `Certificate:\n    Data:\n        Version: 3\n${serverCertificate}`, ecKey],
    ['attributes of a bag are before', bag + serverCertificate + authority, bag + ecKey],
    ['blocks are glued', (serverCertificate + authority).replace('-----\n-----B', '----------B'), ecKey],
    ['the chain ends in its root', `${serverCertificate}${authority}`, ecKey],
    ['the key is of SEC 1', serverCertificate, ecKeySec1],
    ['the curve is before the key', serverCertificate, `${curve}${ecKeySec1}`],
    ['the key is in the file of the chain', `${ecKey}${serverCertificate}`, `${serverCertificate}${ecKey}`],
  ])('accepts what other programs write: %s', async (what, cert, key) => {
    await operator.call('DELETE', '/v1/system/silos/acme')
    expect(said(await create('acme', cert, key)), what).toBe('201')
  })

  const pem = (label: string) => `-----BEGIN ${label}-----\nMIIB\n-----END ${label}-----\n`
  test.each<[what: string, cert: string, key: string]>([
    ['an encrypted key', serverCertificate, pem('ENCRYPTED PRIVATE KEY')],
    ['a request in place of a certificate', pem('CERTIFICATE REQUEST'), ecKey],
    ['PKCS #7', pem('PKCS7'), ecKey],
    ['the two swapped', ecKey, serverCertificate],
  ])('refuses %s', async (what, cert, key) => {
    expect(said(await create('acme', cert, key)), what).toMatch(/^400 unsupported value for "/)
  })

  test('accepts the common name if there are no alternative names', async () => {
    expect(said(await create('third', commonNameCertificate, rsaKey))).toBe(
      '400 unsupported value for "certificate": Certificate not valid for given hostnames: third.sys.example',
    )
    await operator.call('DELETE', '/v1/system/silos/acme')
    expect(said(await create('acme', commonNameCertificate, rsaKey))).toBe('201')
  })
})
