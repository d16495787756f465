import { X509Certificate } from 'node:crypto'

const pemBlock = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([\sA-Za-z\d+/=]*)-----END/

/**
 * The certificates in an element's text. The standard puts one there, DER in base64; people paste PEM with its lines
 * around it. Of a chain, only the first one is the provider's. Empty if there is none.
 * @param {string} text
 */
export function readCertificates(text) {
  const base64 = pemBlock.exec(text)?.[1] ?? text
  try {
    return [new X509Certificate(Buffer.from(base64, 'base64'))]
  } catch {
    return []
  }
}
