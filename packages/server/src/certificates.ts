import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { CertificateFacts, Certificates } from '@gantry/control-plane/environment'
import { plainPem } from './pem.ts'
import { keyName } from './tls/usable-keys.ts'
import { describeX509 } from './x509.js'

const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** Parses PEM with OpenSSL, like TLS does. */
export const x509Certificates: Certificates = {
  readChain(pem) {
    const blocks = plainPem(pem).match(block) ?? []
    // A block without an end is a truncated chain, not a shorter one.
    if (blocks.length !== (pem.match(/-----BEGIN CERTIFICATE-----/g) ?? []).length) return undefined
    try {
      return blocks.map((text) => factsOf(new X509Certificate(text)))
    } catch {
      return undefined
    }
  },
}

const factsOf = (certificate: X509Certificate): CertificateFacts => ({
  ...describeX509(certificate),
  hosts: hostsOf(certificate),
  notBefore: new Date(certificate.validFrom),
  notAfter: new Date(certificate.validTo),
  key: keyOf(certificate),
  // The common name is used if there are no alternative names, as in the reference.
  isFor: (host) => certificate.checkHost(host, { subject: 'default', partialWildcards: false }) !== undefined,
  // Undefined without the extension, which the types omit.
  purposes: certificate.keyUsage,
  hasKey: (pem) => {
    try {
      return certificate.checkPrivateKey(createPrivateKey(plainPem(pem)))
    } catch {
      return undefined
    }
  },
})

/** Empty for a kind of key that OpenSSL does not know. */
function keyOf(certificate: X509Certificate): string {
  try {
    return keyName(certificate.publicKey)
  } catch {
    return ''
  }
}

/** The common name is used if there are no alternative names, as in `isFor`. */
function hostsOf({ subject, subjectAltName }: X509Certificate): string[] {
  if (subjectAltName === undefined) return /^CN=(.+)$/m.exec(subject)?.slice(1) ?? []
  // A name with a comma or a quote is quoted and cannot be a host.
  const plain = subjectAltName.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
  return [...plain.matchAll(/(?:^|, )DNS:([^,]+)/g)].flatMap((match) => match[1] ?? [])
}
