import { SAML } from '@node-saml/node-saml'
import { responseBounds, trustedBounds } from './bounds.js'
import { children, descendants, parseXml, textOf } from './dom.js'
import { Unacceptable } from './unacceptable.js'
/** @import { SamlAttribute } from '@gantry/api/people/saml-check' */
/** @import { SamlAssertion } from '@gantry/control-plane/environment' */
/** @import { ResponseQuestion } from '../questions.ts' */
/** @import { Name } from './dom.js' */

/** Secure signature and digest algorithms; the others that the library supports are SHA-1. */
const signatureAlgorithms = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]
const digestAlgorithms = [
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/**
 * Verifies and reads a signed response. First the document as received, still untrusted, is checked for what
 * no valid one contains; then the library verifies signature, audience and times and returns the assertion
 * from the signed bytes; everything else is read from those alone.
 * @param {ResponseQuestion} question
 * @returns {Promise<SamlAssertion>}
 */
export async function readResponse(question) {
  const { xml, certificates, provider, clockSkewMs } = question
  const document = await parseXml(xml, 'SAMLResponse', responseBounds)
  const root = checkDocument(document, question)
  const saml = new SAML({
    callbackUrl: provider.acs_url,
    issuer: provider.sp_client_id,
    audience: provider.sp_client_id,
    idpCert: certificates,
    // Providers sign the response, its assertion, or both; every signature present must be valid.
    wantAuthnResponseSigned: children(root, 'ds:Signature').length > 0,
    wantAssertionsSigned: children(root, 'saml:Assertion').some(
      (assertion) => children(assertion, 'ds:Signature').length > 0,
    ),
    acceptedClockSkewMs: clockSkewMs,
  })
  const SAMLResponse = Buffer.from(xml).toString('base64')
  const { profile } = await saml
    .validatePostResponseAsync({ SAMLResponse })
    .catch((/** @type {Error} */ error) => {
      throw new Unacceptable(reasonOf(error.message))
    })
  const assertion = profile?.getAssertionXml?.()
  if (!assertion) throw new Unacceptable('SAMLResponse has no assertion')
  return readAssertion(await parseXml(assertion, 'the assertion', trustedBounds), question)
}

/**
 * @param {Document} document
 * @param {ResponseQuestion} question
 */
function checkDocument(document, { provider }) {
  const [root] = children(document, 'samlp:Response')
  if (!root) throw new Unacceptable('SAMLResponse is not a SAML response')
  const issuer = children(root, 'saml:Issuer')[0]
  if (issuer && textOf(issuer) !== provider.idp_entity_id) throw otherIssuer()
  const [code] = children(root, 'samlp:Status').flatMap((status) => children(status, 'samlp:StatusCode'))
  const status = code?.getAttribute('Value')
  if (status !== success) throw new Unacceptable('the identity provider signed nobody in')
  if (descendants(root, 'saml:EncryptedAssertion').length > 0)
    throw new Unacceptable('the assertion is encrypted')
  // Exactly one, in its proper place: others exist to be mistaken for the signed one.
  const [inside, anywhere] = [children(root, 'saml:Assertion'), descendants(root, 'saml:Assertion')]
  if (inside.length !== 1 || anywhere.length !== 1)
    throw new Unacceptable('SAMLResponse has not just one assertion')
  const destination = root.getAttribute('Destination')
  if (destination && destination !== provider.acs_url)
    throw new Unacceptable('SAMLResponse is for another recipient')
  if (descendants(root, 'ds:Signature').length === 0) throw new Unacceptable('SAMLResponse is not signed')
  checkAlgorithms(root, 'ds:SignatureMethod', signatureAlgorithms)
  checkAlgorithms(root, 'ds:DigestMethod', digestAlgorithms)
  return root
}

/**
 * @param {Element} root
 * @param {Name} name
 * @param {readonly string[]} allowed
 */
function checkAlgorithms(root, name, allowed) {
  for (const method of descendants(root, name)) {
    const algorithm = method.getAttribute('Algorithm') ?? ''
    if (!allowed.includes(algorithm))
      throw new Unacceptable(`signatures by ${JSON.stringify(algorithm)} are not accepted`)
  }
}

const otherIssuer = () => new Unacceptable('SAMLResponse is of another issuer')

/**
 * The library's own messages contain values and, at times, only the place of the error.
 * @param {string} message
 */
function reasonOf(message) {
  if (/audience/i.test(message)) return 'the assertion is for another audience'
  if (/not yet valid|expired/.test(message)) return 'the assertion is not valid at this time'
  return 'the signature is not valid'
}

/**
 * @param {Document} document
 * @param {ResponseQuestion} question
 * @returns {SamlAssertion}
 */
function readAssertion(document, question) {
  const { provider } = question
  const [assertion] = children(document, 'saml:Assertion')
  const id = assertion?.getAttribute('ID')
  if (!assertion || !id) throw new Unacceptable('the assertion has no ID')
  if (textOf(children(assertion, 'saml:Issuer')[0]) !== provider.idp_entity_id) throw otherIssuer()
  const [subject] = children(assertion, 'saml:Subject')
  if (!subject) throw new Unacceptable('the assertion has no subject')
  const name = textOf(children(subject, 'saml:NameID')[0])
  if (name === '') throw new Unacceptable('the subject has no name ID')
  const attributes = attributesOf(assertion)
  return {
    id,
    subject: name,
    groups: groupsIn(attributes, provider.group_attribute_name),
    attributes,
    expires: confirm(subject, question),
  }
}

/**
 * The time until which the bearer may be taken for the subject (SAML profiles, 4.1.4.2).
 * @param {Element} subject
 * @param {ResponseQuestion} question
 */
function confirm(subject, { provider, now, clockSkewMs }) {
  const confirmations = children(subject, 'saml:SubjectConfirmation')
    .filter((confirmation) => confirmation.getAttribute('Method') === bearer)
    .flatMap((confirmation) => children(confirmation, 'saml:SubjectConfirmationData'))
  const forUs = confirmations.filter((data) => data.getAttribute('Recipient') === provider.acs_url)
  if (forUs.length === 0) throw new Unacceptable('the assertion is for another recipient')
  const ends = forUs
    .map((data) => Date.parse(data.getAttribute('NotOnOrAfter') ?? '') + clockSkewMs)
    .filter((end) => end > now.getTime())
  if (ends.length === 0) throw new Unacceptable('the assertion is not valid at this time')
  return new Date(Math.max(...ends))
}

/** @param {Element} assertion */
const attributesOf = (assertion) =>
  children(assertion, 'saml:AttributeStatement')
    .flatMap((statement) => children(statement, 'saml:Attribute'))
    .map((attribute) => ({
      name: attribute.getAttribute('Name') ?? '',
      values: children(attribute, 'saml:AttributeValue').map((value) => textOf(value)),
    }))

/**
 * Each value may contain several, separated by commas.
 * @param {readonly SamlAttribute[]} attributes
 * @param {string | null} attributeName
 */
const groupsIn = (attributes, attributeName) =>
  attributes
    .filter(({ name }) => name === attributeName)
    .flatMap(({ values }) => values)
    .flatMap((value) => value.split(','))
    .map((group) => group.trim())
    .filter((group) => group !== '')
