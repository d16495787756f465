import { X509Certificate } from 'node:crypto'
import { describeX509 } from '../../x509.js'
import { trustedBounds } from './bounds.js'
import { children, descendants, parseXml, textOf } from './dom.js'
import { Unacceptable } from './unacceptable.js'
/** @import { SamlCertificate, SamlEndpoint } from '@gantry/api/saml-check' */
/** @import { MetadataFacts } from '../questions.ts' */

const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const help = 'Give the metadata document that the identity provider publishes for SAML 2.0.'

/** During a key change, a provider publishes two, rarely three. Each is tried on each signature. */
const maxCertificates = 8

/**
 * Refuses, in the reference's order and words (A 9.4), metadata that could not be used to sign in.
 * @param {string} text
 * @returns {Promise<MetadataFacts>}
 */
export async function readMetadata(text) {
  const document = await parseXml(text, 'IDP metadata', trustedBounds).catch((/** @type {Error} */ error) => {
    throw new Unacceptable(`IDP metadata could not be read: ${error.message}`, help)
  })
  const [entity] = children(document, 'md:EntityDescriptor')
  const [descriptor] = entity ? children(entity, 'md:IDPSSODescriptor') : []
  if (!entity || !descriptor) throw new Unacceptable('no md:IDPSSODescriptor section', help)
  const certificates = signingCertificatesOf(descriptor)
  if (certificates.length === 0) throw new Unacceptable('no signing key found in IDP metadata', help)
  if (certificates.length > maxCertificates)
    throw new Unacceptable(`more than ${maxCertificates} signing keys in IDP metadata`, help)
  const endpoints = endpointsOf(descriptor)
  const signInUrl = endpoints
    .filter(({ service, binding }) => service === 'single_sign_on' && binding === redirect)
    .map(({ location }) => location)
    .find(isWebAddress)
  if (signInUrl === undefined) throw new Unacceptable('zero redirect binding locations', help)
  return {
    certificates: certificates.map((certificate) => certificate.toString()),
    signInUrl,
    description: {
      entity_id: entity.getAttribute('entityID') ?? '',
      sign_in_url: signInUrl,
      certificates: certificates.map(certificateView),
      endpoints,
      wants_signed_requests: ['true', '1'].includes(descriptor.getAttribute('WantAuthnRequestsSigned') ?? ''),
    },
  }
}

/** @param {Element} descriptor */
const signingCertificatesOf = (descriptor) =>
  children(descriptor, 'md:KeyDescriptor')
    .filter((key) => ['', 'signing'].includes(key.getAttribute('use') ?? ''))
    .flatMap((key) => descendants(key, 'ds:X509Certificate'))
    .flatMap((certificate) => readCertificate(textOf(certificate)))

/**
 * @param {X509Certificate} certificate
 * @returns {SamlCertificate}
 */
const certificateView = (certificate) => ({
  ...describeX509(certificate),
  time_valid_from: new Date(certificate.validFrom).toISOString(),
  time_expires: new Date(certificate.validTo).toISOString(),
})

/** Elements that name the location of a service. */
const services = /** @type {const} */ ([
  ['single_sign_on', 'md:SingleSignOnService'],
  ['single_logout', 'md:SingleLogoutService'],
])

/**
 * @param {Element} descriptor
 * @returns {SamlEndpoint[]}
 */
const endpointsOf = (descriptor) =>
  services.flatMap(([service, name]) =>
    children(descriptor, name).map((element) => ({
      service,
      binding: element.getAttribute('Binding') ?? '',
      location: element.getAttribute('Location') ?? '',
    })),
  )

/**
 * Browsers are sent there, so it must be a web page.
 * @param {string} text
 */
const isWebAddress = (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/**
 * Undefined if it is not a certificate.
 * @param {string} base64
 */
function readCertificate(base64) {
  try {
    return [new X509Certificate(Buffer.from(base64, 'base64'))]
  } catch {
    return []
  }
}
