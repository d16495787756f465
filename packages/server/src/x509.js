/** @import { X509Certificate } from 'node:crypto' */

/**
 * The subject and issuer of a certificate, in one line each, and its fingerprint.
 * @param {X509Certificate} certificate
 */
export const describeX509 = ({ subject, issuer, fingerprint256 }) => ({
  subject: inOneLine(subject),
  issuer: inOneLine(issuer),
  fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
})

/** @param {string | undefined} name Undefined where the certificate has no name. */
const inOneLine = (name) => (name ?? '').split('\n').join(', ')
