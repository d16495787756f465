import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'

/** One DER value: tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const length =
    body.length < 128
      ? Buffer.from([body.length])
      : Buffer.from([0x82, Math.floor(body.length / 256), body.length % 256])
  return Buffer.concat([Buffer.from([tag]), length, body])
}
const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const time = (text: string): Buffer => der(0x18, Buffer.from(text))

const commonName = oid('550403')
const sha256WithRsa = sequence(oid('2a864886f70d01010b'), der(0x05))

export interface SelfSigned {
  privateKey: KeyObject
  /** DER in base64, as in SAML. */
  certificate: string
}

/** A fresh RSA key with a self-signed certificate: Node can create the first but not the second. */
export function selfSigned(name: string): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const names = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))))
  const tbs = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    sha256WithRsa,
    names,
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    names,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', tbs, privateKey)
  const certificate = sequence(tbs, sha256WithRsa, der(0x03, Buffer.from([0]), signature))
  return { privateKey, certificate: certificate.toString('base64') }
}

/** Keys of a certificate that tests issue. */
const keyMakers = {
  RSA: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'RSA-PSS': () => generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
  'EC P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'EC P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'EC P-521': () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  'EC secp256k1': () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  Ed25519: () => generateKeyPairSync('ed25519'),
  Ed448: () => generateKeyPairSync('ed448'),
} as const satisfies Record<string, () => { privateKey: KeyObject; publicKey: KeyObject }>

export type IssuedKey = keyof typeof keyMakers
export const issuedKeys = Object.keys(keyMakers) as IssuedKey[]

interface Issued {
  host: string
  key?: IssuedKey
  from?: string
  until?: string
  /** The key purpose, as the content of an object identifier in hexadecimal. */
  purpose?: string
}

const issuer = selfSigned('issuer of tests')

/** A certificate for a host, in PEM with its key and the certificate of its issuer. */
export function issue({
  host,
  key = 'EC P-256',
  from = '20200101000000Z',
  until = '20991231235959Z',
  purpose,
}: Issued): { cert: string; key: string; issuer: string } {
  const { privateKey, publicKey } = keyMakers[key]()
  const names = (name: string) => sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))))
  const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value))
  const extensions = [
    extension('551d11', sequence(der(0x82, Buffer.from(host)))),
    ...(purpose === undefined ? [] : [extension('551d25', sequence(oid(purpose)))]),
  ]
  const tbs = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([2])),
    sha256WithRsa,
    names('issuer of tests'),
    sequence(time(from), time(until)),
    names('x'),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', tbs, issuer.privateKey)
  const certificate = sequence(tbs, sha256WithRsa, der(0x03, Buffer.from([0]), signature))
  return {
    cert: new X509Certificate(certificate).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issuer: new X509Certificate(Buffer.from(issuer.certificate, 'base64')).toString(),
  }
}
