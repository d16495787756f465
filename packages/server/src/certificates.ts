import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { CertificateFacts, Certificates } from '@gantry/control-plane/environment'

const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** What is said in PEM, read by OpenSSL as TLS would read it. */
export const x509Certificates: Certificates = {
  readChain(pem) {
    const blocks = pem.match(block) ?? []
    // A block without an end is a chain that was cut, not a shorter one.
    if (blocks.length !== (pem.match(/-----BEGIN CERTIFICATE-----/g) ?? []).length) return undefined
    try {
      return blocks.map((text) => factsOf(new X509Certificate(text)))
    } catch {
      return undefined
    }
  },
}

const factsOf = (certificate: X509Certificate): CertificateFacts => ({
  notAfter: new Date(certificate.validTo),
  // The common name counts where there are no alternative names, as in the reference.
  isFor: (host) => certificate.checkHost(host, { subject: 'default', partialWildcards: false }) !== undefined,
  // Undefined without the extension, which the types do not know.
  purposes: certificate.keyUsage,
  hasKey: (pem) => {
    try {
      return certificate.checkPrivateKey(createPrivateKey(pem))
    } catch {
      return undefined
    }
  },
})
