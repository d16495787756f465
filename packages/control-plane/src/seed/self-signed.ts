/** One DER value: tag, length, content. */
function der(tag: number, ...content: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = content.reduce((sum, part) => sum + part.length, 0)
  const length = size < 128 ? [size] : [0x82, Math.floor(size / 256), size % 256]
  const bytes = new Uint8Array(1 + length.length + size)
  bytes.set([tag, ...length])
  let at = 1 + length.length
  for (const part of content) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
const sequence = (...content: readonly Uint8Array[]) => der(0x30, ...content)
const oid = (...bytes: readonly number[]) => der(0x06, Uint8Array.from(bytes))
const utf8 = (text: string) => new TextEncoder().encode(text)
/** GeneralizedTime, to the second. */
const time = (date: Date) => der(0x18, utf8(`${date.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`))

/** A positive number, without leading zeros except the one that keeps it positive. */
function integer(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = start < 0 ? Uint8Array.of(0) : bytes.slice(start)
  return (digits[0] ?? 0) < 128 ? der(0x02, digits) : der(0x02, Uint8Array.of(0), digits)
}

const commonName = oid(0x55, 0x04, 0x03)
const subjectAltName = oid(0x55, 0x1d, 0x11)
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

interface SelfSigned {
  /** DER in base64, as in SAML. */
  der: string
  /** PEM. */
  cert: string
  key: string
}

/** A self-signed certificate for a host with a fresh key, for the demo. */
export async function selfSigned(host: string, from: Date, until: Date): Promise<SelfSigned> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const names = sequence(der(0x31, sequence(commonName, der(0x0c, utf8(host)))))
  const hosts = sequence(subjectAltName, der(0x04, sequence(der(0x82, utf8(host)))))
  const signed = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    der(0x02, Uint8Array.of(1)),
    ecdsaWithSha256,
    names,
    sequence(time(from), time(until)),
    names,
    new Uint8Array(await crypto.subtle.exportKey('spki', publicKey)),
    der(0xa3, sequence(hosts)),
  )
  const pair = new Uint8Array(await crypto.subtle.sign(ecdsa, privateKey, signed))
  const signature = sequence(integer(pair.slice(0, 32)), integer(pair.slice(32)))
  const bytes = base64(sequence(signed, ecdsaWithSha256, der(0x03, Uint8Array.of(0), signature)))
  const key = base64(new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey)))
  return { der: bytes, cert: pem('CERTIFICATE', bytes), key: pem('PRIVATE KEY', key) }
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

const pem = (label: string, text: string): string =>
  [`-----BEGIN ${label}-----`, ...(text.match(/.{1,64}/g) ?? []), `-----END ${label}-----`, ''].join('\n')
