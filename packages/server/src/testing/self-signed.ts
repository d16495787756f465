import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

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
