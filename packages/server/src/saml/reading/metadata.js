import { X509Certificate } from 'node:crypto'
import { trustedBounds } from './bounds.js'
import { children, descendants, parseXml, textOf } from './dom.js'
import { Unacceptable } from './unacceptable.js'
/** @import { MetadataFacts } from '../questions.ts' */

const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const help = 'Give the metadata document that the identity provider publishes for SAML 2.0.'

/** A provider that changes its key publishes two, seldom three. Each is tried on each signature. */
const maxCertificates = 8

/**
 * Refuses, in the reference's order and words (A 9.4), a description with which nobody could sign in.
 * @param {string} text
 * @returns {Promise<MetadataFacts>}
 */
export async function readMetadata(text) {
  const document = await parseXml(text, 'IDP metadata', trustedBounds).catch((/** @type {Error} */ error) => {
    throw new Unacceptable(`IDP metadata could not be read: ${error.message}`, help)
  })
  const [descriptor] = children(document, 'md:EntityDescriptor').flatMap((entity) =>
    children(entity, 'md:IDPSSODescriptor'),
  )
  if (!descriptor) throw new Unacceptable('no md:IDPSSODescriptor section', help)
  const certificates = children(descriptor, 'md:KeyDescriptor')
    .filter((key) => ['', 'signing'].includes(key.getAttribute('use') ?? ''))
    .flatMap((key) => descendants(key, 'ds:X509Certificate'))
    .flatMap((certificate) => pemOf(textOf(certificate)))
  if (certificates.length === 0) throw new Unacceptable('no signing key found in IDP metadata', help)
  if (certificates.length > maxCertificates)
    throw new Unacceptable(`more than ${maxCertificates} signing keys in IDP metadata`, help)
  const signInUrl = children(descriptor, 'md:SingleSignOnService')
    .filter((service) => service.getAttribute('Binding') === redirect)
    .map((service) => service.getAttribute('Location') ?? '')
    .find(isWebAddress)
  if (signInUrl === undefined) throw new Unacceptable('zero redirect binding locations', help)
  return { certificates, signInUrl }
}

/**
 * Browsers are sent there, so it is nothing else than a page.
 * @param {string} text
 */
const isWebAddress = (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/**
 * In PEM, or nothing where it is no certificate.
 * @param {string} base64
 */
function pemOf(base64) {
  try {
    return [new X509Certificate(Buffer.from(base64, 'base64')).toString()]
  } catch {
    return []
  }
}
