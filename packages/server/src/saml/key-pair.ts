import { createPrivateKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { unreadable } from '@gantry/control-plane/context/refusal'

const problem = (text: string) => unreadable(`unable to parse JSON body: signing_keypair: ${text}`)

/** Anyone can make this server sign a request: with 16,384 bits, each would take a second. */
const maxKeyBits = 4096

/** The bytes that a field gives: base64 of DER or of a PEM file, or PEM. */
const bytesOf = (text: string): Buffer =>
  text.trimStart().startsWith('-----BEGIN ') ? Buffer.from(text) : Buffer.from(text, 'base64')

/** An RSA key: DER, as PKCS #1 or PKCS #8, or PEM. */
export function privateKeyOf(text: string): KeyObject {
  const key = bytesOf(text)
  if (key.includes('-----BEGIN ')) return privateKeyOfPem(key)
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      return createPrivateKey({ key, format: 'der', type })
    } catch {
      // Try the other one.
    }
  }
  throw problem('private key is not recognized as RSA private key')
}

function privateKeyOfPem(key: Buffer): KeyObject {
  if (key.includes('ENCRYPTED'))
    throw problem('private key is encrypted with a passphrase, which has to be removed')
  try {
    return createPrivateKey({ key, format: 'pem' })
  } catch {
    throw problem('private key is not recognized as RSA private key')
  }
}

/** Refuses a pair that cannot sign; errors are reported like those of the body (A 9.4). */
export function checkKeyPair({
  public_cert,
  private_key,
}: {
  public_cert: string
  private_key: string
}): void {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(bytesOf(public_cert))
  } catch {
    throw problem('public certificate is not recognized as X509 certificate')
  }
  const key = privateKeyOf(private_key)
  if (key.asymmetricKeyType !== 'rsa') throw problem('private key is not recognized as RSA private key')
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) > maxKeyBits)
    throw problem(`private key is longer than ${maxKeyBits} bits`)
  const data = Buffer.from('a message that both must agree about')
  const isPair =
    certificate.publicKey.asymmetricKeyType === 'rsa' &&
    verify('sha256', data, certificate.publicKey, sign('sha256', data, key))
  if (!isPair) throw problem('data signed with key not verified with certificate!')
}
