import { describeX509 } from '../../x509.js'
import { trustedBounds } from './bounds.js'
import { readCertificates } from './certificates.js'
import { children, descendants, parseXml, textOf } from './dom.js'
import { Unacceptable } from './unacceptable.js'
/** @import { X509Certificate } from 'node:crypto' */
/** @import { SamlCertificate, SamlEndpoint } from '@gantry/api/people/saml-check' */
/** @import { MetadataFacts, MetadataQuestion } from '../questions.ts' */

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const help = 'Give the metadata document that the identity provider publishes for SAML 2.0.'

/** During a key change, a provider publishes two, rarely three. Each is tried on each signature. */
const maxCertificates = 8
/** Entity ids that a refusal lists. */
const maxListed = 10

/**
 * Refuses, in the reference's order and words (A 9.4), metadata that could not be used to sign in.
 * @param {Pick<MetadataQuestion, 'text' | 'entity_id'>} question
 * @returns {Promise<MetadataFacts>}
 */
export async function readMetadata({ text, entity_id }) {
  if (isWebPage(text)) throw unreadable('it is a web page, not metadata')
  const document = await parseXml(text, 'IDP metadata', trustedBounds).catch((/** @type {Error} */ error) => {
    throw unreadable(error.message)
  })
  const { entity, descriptor } = providerIn(document, entity_id)
  const certificates = signingCertificatesOf(descriptor)
  if (certificates.length > maxCertificates)
    throw new Unacceptable(`more than ${maxCertificates} signing keys in IDP metadata`, help)
  const endpoints = endpointsOf(descriptor)
  const signInUrl = endpoints
    .filter(({ service, binding }) => service === 'single_sign_on' && binding === redirect)
    .map(({ location }) => location)
    .find(isWebAddress)
  if (signInUrl === undefined)
    throw new Unacceptable('zero redirect binding locations', redirectHelp(endpoints))
  const entityId = entity.getAttribute('entityID') ?? ''
  if (`${entityId}${signInUrl}`.includes('\uFFFD'))
    throw new Unacceptable(
      'IDP metadata could not be read: it contains bytes that are not in its encoding',
      'Save it in UTF-8, and declare that encoding.',
    )
  return {
    certificates: certificates.map((certificate) => certificate.toString()),
    signInUrl,
    description: {
      entity_id: entityId,
      sign_in_url: signInUrl,
      certificates: certificates.map(certificateView),
      endpoints,
      wants_signed_requests: ['true', '1'].includes(descriptor.getAttribute('WantAuthnRequestsSigned') ?? ''),
    },
  }
}

/** @param {string} why */
const unreadable = (why) => new Unacceptable(`IDP metadata could not be read: ${why}`, help)

/**
 * What a browser shows for an address that asks for a sign-in, or that is wrong.
 * @param {string} text
 */
function isWebPage(text) {
  let at = 0
  for (;;) {
    const rest = text.slice(at).trimStart()
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : undefined
    if (end === undefined) return /^<(!doctype\s+)?html[\s>]/i.test(rest.slice(0, 64))
    const found = rest.indexOf(end)
    // One comment and one declaration; what has more is not looked into.
    if (found < 0 || at > maxPrologue) return false
    at = text.length - rest.length + found + end.length
  }
}
const maxPrologue = 4096

/**
 * The provider that a document describes: the only one, or of several the named one.
 * @param {Document} document
 * @param {string | undefined} entityId
 */
function providerIn(document, entityId) {
  const entities = entitiesIn(document)
  const described = entities.flatMap((entity) =>
    children(entity, 'md:IDPSSODescriptor').map((descriptor) => ({ entity, descriptor })),
  )
  if (described.length === 0) throw new Unacceptable('no md:IDPSSODescriptor section', helpFor(entities))
  const usable = described.filter(({ descriptor }) => supportsSaml2(descriptor))
  const [first] = usable
  if (!first) throw new Unacceptable('the identity provider in IDP metadata does not support SAML 2.0', help)
  // Several descriptors of one provider are for several protocols, or say the same.
  const ids = [...new Set(usable.map(({ entity }) => entity))].map(
    (entity) => entity.getAttribute('entityID') ?? '',
  )
  if (ids.length === 1) return first
  const named = usable.find(({ entity }) => entity.getAttribute('entityID') === entityId)
  if (named) return named
  const more = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : ''
  throw new Unacceptable(
    `IDP metadata describes ${ids.length} identity providers, and none with this entity ID`,
    `Enter the entity ID of one of them: ${ids.slice(0, maxListed).join(', ')}${more}.`,
  )
}

/**
 * Entities of a document, also of one that lists them, in groups or not.
 * @param {Node} node
 * @returns {Element[]}
 */
const entitiesIn = (node) => [
  ...children(node, 'md:EntityDescriptor'),
  ...children(node, 'md:EntitiesDescriptor').flatMap(entitiesIn),
]

/**
 * The attribute is required; where it is missing, the document is for SAML 2.0 like its namespace.
 * @param {Element} descriptor
 */
const supportsSaml2 = (descriptor) =>
  (descriptor.getAttribute('protocolSupportEnumeration') ?? protocol).split(/\s+/).includes(protocol)

/** @param {readonly Element[]} entities */
const helpFor = (entities) =>
  entities.some((entity) => children(entity, 'md:SPSSODescriptor').length > 0)
    ? 'This describes a service provider, which users sign in to. Give the metadata of the identity provider.'
    : help

/**
 * @param {readonly SamlEndpoint[]} endpoints
 */
function redirectHelp(endpoints) {
  const bindings = endpoints
    .filter(({ service }) => service === 'single_sign_on')
    .map(({ binding }) => binding.split(':').at(-1))
  if (bindings.length === 0) return help
  return `The provider offers single sign-on by ${[...new Set(bindings)].join(', ')}. Enable HTTP-Redirect with a web address there.`
}

/**
 * The certificates of the keys that sign.
 * @param {Element} descriptor
 * @returns {X509Certificate[]}
 */
function signingCertificatesOf(descriptor) {
  const keys = children(descriptor, 'md:KeyDescriptor').filter((key) =>
    ['', 'signing'].includes(key.getAttribute('use') ?? ''),
  )
  const elements = keys.flatMap((key) => descendants(key, 'ds:X509Certificate'))
  const certificates = elements.flatMap((element) => readCertificates(textOf(element)))
  if (certificates.length > 0) return certificates
  const why =
    elements.length > 0
      ? 'Its signing certificates cannot be read. Each must be an X.509 certificate in base64.'
      : keys.length > 0
        ? 'It names a signing key without a certificate. Publish the X.509 certificate of the key.'
        : help
  throw new Unacceptable('no signing key found in IDP metadata', why)
}

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
      binding: element.getAttribute('Binding')?.trim() ?? '',
      location: element.getAttribute('Location')?.trim() ?? '',
    })),
  )

/**
 * Browsers are sent there, so it must be a web page.
 * @param {string} text
 */
const isWebAddress = (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
