import { canBrowsersUse } from '@gantry/api/people/certificate.rules'
import { testControlPlane, type Caller, type TestBed } from '@gantry/control-plane/testing/control-plane'
import type tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { x509Certificates } from '../certificates.ts'
import {
  authority,
  commonNameCertificate,
  ecKey,
  ecKeySec1,
  rsaKey,
  serverCertificate,
  wildcardCertificate,
} from '../testing/certificates.ts'
import { asBrowser, handshake, secured } from '../testing/secured.ts'
import { issue, issuedKeys } from '../testing/self-signed.ts'
import { keyName } from './usable-keys.ts'

const host = 'acme.sys.example'
/** Of another host, so that a certificate in use is always the silo's own. */
const file = issue({ host: 'other.example', key: 'EC P-256' })

let bed: TestBed
let operator: Caller
let admin: Caller
let now = Date.now()
/** Moves with each look, so that the order of uploads is known. */
const clock = () => new Date((now += 1))
beforeAll(async () => {
  bed = await testControlPlane({
    environment: { certificates: x509Certificates, dnsZone: 'example', clock },
  })
  operator = await bed.signIn('admin')
  const silo = {
    name: 'acme',
    description: '',
    discoverable: true,
    identity_mode: 'local_only',
    quotas: { cpus: 0, memory: 0, storage: 0 },
    tls_certificates: [],
  }
  const { id } = (await operator.post('/v1/system/silos', silo)).body
  admin = await bed.addUser('admin-of-acme', { siloId: id, roles: [{ at: 'silo', role: 'admin' }] })
})
afterAll(() => bed.stop())

const serve = () => secured({ ...file, ofSilos: bed.plane.certificates, clock })

/** Uploads pairs for the silo in this order, and removes them after the test. */
async function keeping(
  pairs: readonly { cert: string; key: string }[],
  work: (answers: { status: number; body: { message?: string } }[]) => Promise<void>,
): Promise<void> {
  const answers = []
  for (const [at, pair] of pairs.entries()) {
    const body = { name: `tls-${at}`, description: '', service: 'external_api', ...pair }
    answers.push(await admin.post('/v1/certificates', body))
  }
  try {
    await work(answers)
  } finally {
    for (const at of pairs.keys()) await admin.call('DELETE', `/v1/certificates/tls-${at}`)
  }
}

const versions = ['TLSv1.2', 'TLSv1.3'] as const
/** Kinds of clients, by what they offer. */
const clients: Record<string, tls.ConnectionOptions> = {
  'a browser': asBrowser,
  'a client that takes whatever there is': { rejectUnauthorized: false },
  'a client that knows only RSA': {
    sigalgs: 'rsa_pss_rsae_sha256:rsa_pkcs1_sha256',
    rejectUnauthorized: false,
  },
  'a client that knows only P-256': {
    sigalgs: 'ecdsa_secp256r1_sha256',
    ecdhCurve: 'P-256',
    rejectUnauthorized: false,
  },
}
const tryHandshake = (port: number, client: string, version: (typeof versions)[number]) =>
  handshake(port, { ...clients[client], minVersion: version, maxVersion: version }).catch(() => undefined)

const servedBy = (socket: tls.TLSSocket | undefined) => socket?.getPeerX509Certificate()

describe('each form of a certificate that is accepted is served, and its clients verify it', () => {
  const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
  const curve = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'
  const bag = 'Bag Attributes\n    friendlyName: acme\nKey Attributes: <No Attributes>\n'
  const chain = serverCertificate + authority
  const indented = (text: string): string => text.replaceAll(/^/gm, '    ')

  test.each<[what: string, cert: string, key: string]>([
    ['a leaf alone, PKCS #8', serverCertificate, ecKey],
    ['a chain with its root', chain, ecKey],
    ['SEC 1', chain, ecKeySec1],
    ['PKCS #1, by its common name', commonNameCertificate, rsaKey],
    ['a wildcard', wildcardCertificate, ecKey],
    ['the curve before the key', chain, `${curve}${ecKeySec1}`],
    ['text before', `Certificate:\n    Data:\n        Version: 3\n${chain}`, ecKey],
    ['attributes of a bag before', bag + serverCertificate + bag + authority, bag + ecKey],
    ['the key in the file of the chain', `${ecKey}${chain}`, `${chain}${ecKey}`],
    ['line ends of Windows', crlf(chain), crlf(ecKey)],
    ['trailing blanks', chain.replaceAll('\n', '  \n'), ecKey.replaceAll('\n', '  \n')],
    ['a byte order mark', `\uFEFF${chain}`, `\uFEFF${ecKey}`],
    ['glued blocks', chain.replace('-----\n-----B', '----------B'), ecKey],
    ['indented', indented(chain), ecKey],
    ['an indented key', chain, indented(ecKey)],
  ])('%s', async (_, cert, key) => {
    await keeping([{ cert, key }], async ([answer]) => {
      expect([answer?.status, answer?.body.message]).toEqual([201, undefined])
      const { port, log } = await serve()
      for (const version of versions) {
        const socket = await handshake(port, { minVersion: version, maxVersion: version })
        expect([socket.authorized, socket.getProtocol()]).toEqual([true, version])
        expect(servedBy(socket)?.checkHost(host, { subject: 'default' })).toBeDefined()
      }
      expect(log.warn).not.toHaveBeenCalled()
    })
  })
})

describe.each(Object.keys(clients))('%s', (client) => {
  const usable = issue({ host, key: 'EC P-256' })
  const rsa = issue({ host, key: 'RSA' })

  test.each(issuedKeys)(
    'is served with a certificate that it can use, when the newest has a key of %s',
    async (key) => {
      await keeping([rsa, usable, issue({ host, key })], async (answers) => {
        expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
        const { port } = await serve()
        for (const version of versions) {
          const served = servedBy(await tryHandshake(port, client, version))
          expect(served?.checkHost(host)).toBe(host)
          const isForBrowser = served && canBrowsersUse(keyName(served.publicKey))
          expect(isForBrowser || client !== 'a browser').toBe(true)
        }
      })
    },
  )

  test('is served with one whose name is in upper case', async () => {
    const key = client.endsWith('RSA') ? 'RSA' : 'EC P-256'
    await keeping([issue({ host: host.toUpperCase(), key })], async ([answer]) => {
      expect(answer?.status).toBe(201)
      const { port } = await serve()
      const served = servedBy(await tryHandshake(port, client, 'TLSv1.3'))
      expect(served?.subjectAltName).toBe('DNS:ACME.SYS.EXAMPLE')
    })
  })

  test('is served with one for any purpose', async () => {
    const key = client.endsWith('RSA') ? 'RSA' : 'EC P-256'
    await keeping([issue({ host, key, purpose: '551d2500' })], async ([answer]) => {
      expect(answer?.status).toBe(201)
      const { port } = await serve()
      for (const version of versions)
        expect(servedBy(await tryHandshake(port, client, version))?.checkHost(host)).toBe(host)
    })
  })

  test('is served with the usable one while a newer one is not valid yet, and with that from its day on', async () => {
    const future = issue({ host, key: 'RSA', from: '20300101000000Z', until: '20310101000000Z' })
    const knowsOnlyRsa = client.endsWith('RSA')
    await keeping([knowsOnlyRsa ? rsa : usable, future], async (answers) => {
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
      const servedUntil = async () => {
        const { port } = await serve()
        return servedBy(await tryHandshake(port, client, 'TLSv1.3'))?.validTo
      }
      expect(await servedUntil()).toContain('2099')
      const before = now
      now = Date.parse('2030-06-01')
      try {
        expect(await servedUntil()).toContain(client.endsWith('P-256') ? '2099' : '2031')
      } finally {
        now = before
      }
    })
  })
})
