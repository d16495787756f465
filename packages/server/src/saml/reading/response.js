import { SAML } from '@node-saml/node-saml'
import { responseBounds, trustedBounds } from './bounds.js'
import { children, descendants, parseXml, textOf } from './dom.js'
import { Unacceptable } from './unacceptable.js'
/** @import { SamlAssertion } from '@gantry/control-plane/environment' */
/** @import { ResponseQuestion } from '../questions.ts' */
/** @import { Name } from './dom.js' */

/** Ways to sign and to digest that nobody has forged; what the library knows besides is SHA-1. */
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
 * What a signed response says of somebody. First the document as it came, of which nothing is believed, is looked at
 * for what no good one has; then the library checks signature, audience and times and gives the assertion out of the
 * bytes that were signed; the rest is read from those alone.
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
    // Providers sign the response, the assertion in it, or both; every signature that is there has to be good.
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
  // One, and where it belongs: others are there to be taken for the one that was signed.
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
 * The library's own sentences carry values and, at times, only where it stumbled.
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
  return {
    id,
    subject: name,
    groups: groupsOf(assertion, provider.group_attribute_name),
    expires: confirm(subject, question),
  }
}

/**
 * Until when whoever brings the assertion here may be taken for its subject (SAML profiles, 4.1.4.2).
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

/**
 * Each value may name several, with commas between.
 * @param {Element} assertion
 * @param {string | null} attributeName
 */
const groupsOf = (assertion, attributeName) =>
  children(assertion, 'saml:AttributeStatement')
    .flatMap((statement) => children(statement, 'saml:Attribute'))
    .filter((attribute) => attribute.getAttribute('Name') === attributeName)
    .flatMap((attribute) => children(attribute, 'saml:AttributeValue'))
    .flatMap((value) => textOf(value).split(','))
    .map((group) => group.trim())
    .filter((group) => group !== '')
