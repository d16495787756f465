/** The fields that the browser reads from a certificate before it is sent. */
export interface ReadCertificate {
  names: string[]
  notBefore: Date
  notAfter: Date
  /** The kind of its key, named like the server does; empty if unknown. */
  key: string
}

interface Node {
  tag: number
  body: Uint8Array
}

// Tags of DER (ITU-T X.690) and of X.509 (RFC 5280).
const tags = { utcTime: 0x17, version: 0xa0, extensions: 0xa3, dnsName: 0x82, octets: 0x04 } as const
const subjectAltName = '85,29,17'
const commonName = '85,4,3'

// Kinds of keys and curves (RFC 8410, 5480, 8017).
const keys: Readonly<Record<string, string>> = {
  '42,134,72,134,247,13,1,1,1': 'RSA',
  '42,134,72,134,247,13,1,1,10': 'RSA-PSS',
  '42,134,72,206,61,2,1': 'EC',
  '43,101,112': 'Ed25519',
  '43,101,113': 'Ed448',
}
const curves: Readonly<Record<string, string>> = {
  '42,134,72,206,61,3,1,7': 'P-256',
  '43,129,4,0,34': 'P-384',
  '43,129,4,0,35': 'P-521',
  '43,129,4,0,10': 'secp256k1',
}

const blocks = /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/g

/** Reads the first PEM block, which is the leaf; undefined if it is not an X.509 certificate. */
export function readCertificate(pem: string): ReadCertificate | undefined {
  const [first] = pem.matchAll(blocks)
  return first && readBlock(first)
}

/** Reads every PEM block that is an X.509 certificate. */
export const readChain = (pem: string): ReadCertificate[] =>
  [...pem.matchAll(blocks)].flatMap((block) => readBlock(block) ?? [])

function readBlock([, base64 = '']: RegExpExecArray): ReadCertificate | undefined {
  try {
    return readDer(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  } catch {
    return undefined
  }
}

function readDer(der: Uint8Array): ReadCertificate {
  const [certificate] = nodesIn(der)
  const [signed] = nodesIn(bodyOf(certificate))
  const fields = nodesIn(bodyOf(signed))
  // The oldest certificates omit the version.
  const [, , , validity, subject, publicKey] = fields[0]?.tag === tags.version ? fields.slice(1) : fields
  const [notBefore, notAfter] = nodesIn(bodyOf(validity))
  const alternative = alternativeNames(fields.find(({ tag }) => tag === tags.extensions))
  return {
    names: alternative.length > 0 ? alternative : commonNames(bodyOf(subject)),
    notBefore: timeOf(notBefore),
    notAfter: timeOf(notAfter),
    key: keyOf(bodyOf(publicKey)),
  }
}

function keyOf(publicKey: Uint8Array): string {
  const [algorithm] = nodesIn(publicKey)
  const [id, curve] = nodesIn(bodyOf(algorithm))
  const name = keys[bodyOf(id).join()]
  return name === 'EC' ? `EC ${(curve && curves[curve.body.join()]) ?? ''}`.trim() : (name ?? '')
}

function nodesIn(bytes: Uint8Array): Node[] {
  const nodes: Node[] = []
  let at = 0
  while (at < bytes.length) {
    const [tag = 0, first = 0] = bytes.subarray(at)
    const extra = first < 0x80 ? 0 : first & 0x7f
    const length =
      extra === 0 ? first : bytes.subarray(at + 2, at + 2 + extra).reduce((sum, byte) => sum * 256 + byte, 0)
    const start = at + 2 + extra
    at = start + length
    if (at > bytes.length) throw new Error('the DER is cut off')
    nodes.push({ tag, body: bytes.subarray(start, at) })
  }
  return nodes
}

function bodyOf(node: Node | undefined): Uint8Array {
  if (!node) throw new Error('a field is missing')
  return node.body
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** `YYMMDDhhmmssZ`, from 1950 to 2049, or with a year of four digits. */
function timeOf(node: Node | undefined): Date {
  const digits = text(bodyOf(node))
  const full = node?.tag === tags.utcTime ? `${digits < '5' ? '20' : '19'}${digits}` : digits
  const time = new Date(full.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (Number.isNaN(time.getTime())) throw new Error('a time is malformed')
  return time
}

function alternativeNames(extensions: Node | undefined): string[] {
  if (!extensions) return []
  const [list] = nodesIn(extensions.body)
  const found = nodesIn(bodyOf(list))
    .map(({ body }) => nodesIn(body))
    .find(([id]) => bodyOf(id).join() === subjectAltName)
  const value = found?.find(({ tag }) => tag === tags.octets)
  if (!value) return []
  const [names] = nodesIn(value.body)
  return nodesIn(bodyOf(names)).flatMap(({ tag, body }) => (tag === tags.dnsName ? [text(body)] : []))
}

const commonNames = (subject: Uint8Array): string[] =>
  nodesIn(subject)
    .flatMap(({ body }) => nodesIn(body))
    .map(({ body }) => nodesIn(body))
    .flatMap(([id, name]) => (bodyOf(id).join() === commonName ? [text(bodyOf(name))] : []))

const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/** A wildcard matches exactly one label, and never a whole name. */
export function covers(name: string, host: string): boolean {
  const [pattern, wanted] = [plain(name), plain(host)]
  if (!pattern.startsWith('*.')) return pattern !== '*' && pattern === wanted
  return wanted.includes('.') && pattern.slice(1) === wanted.slice(wanted.indexOf('.'))
}

/** Whether one of the names is for the silo, under any domain if the silos' domain is unknown. */
export const isFor = (names: readonly string[], silo: string, domain: string | undefined): boolean =>
  names.some((name) => covers(name, `${silo}.sys.${domain ?? /^[^.]+\.sys\.(.+)/i.exec(name)?.[1] ?? ''}`))
