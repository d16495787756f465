import { X509Certificate } from 'node:crypto'
import { invalid } from '@gantry/control-plane/kernel/refusal'
import { elements, parseXml, textOf } from './xml.ts'

/** What an identity provider's description of itself is read for. */
interface Metadata {
  /** Certificates in PEM, any of which may have signed what it says. */
  certificates: string[]
  /** Where browsers are sent to sign in. */
  signInUrl: string
}

const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/** Refuses, in the reference's order and words (A 9.4), a description with which nobody could sign in. */
export async function readMetadata(text: string): Promise<Metadata> {
  const document = await parseXml(text, 'IDP metadata').catch((error: Error) => {
    throw invalid(`IDP metadata could not be read: ${error.message}`, help)
  })
  const [descriptor] = elements(document, '/md:EntityDescriptor/md:IDPSSODescriptor')
  if (!descriptor) throw invalid('no md:IDPSSODescriptor section', help)
  const certificates = elements(descriptor, './md:KeyDescriptor')
    .filter((key) => ['', 'signing'].includes(key.getAttribute('use') ?? ''))
    .flatMap((key) => elements(key, './/ds:X509Certificate'))
    .flatMap((certificate) => pemOf(textOf(certificate)))
  if (certificates.length === 0) throw invalid('no signing key found in IDP metadata', help)
  const signInUrl = elements(descriptor, './md:SingleSignOnService')
    .filter((service) => service.getAttribute('Binding') === redirect)
    .map((service) => service.getAttribute('Location') ?? '')
    .find(isWebAddress)
  if (signInUrl === undefined) throw invalid('zero redirect binding locations', help)
  return { certificates, signInUrl }
}

const help = 'Give the metadata document that the identity provider publishes for SAML 2.0.'

/** Browsers are sent there, so it is nothing else than a page. */
const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** In PEM, or nothing where it is no certificate. */
function pemOf(base64: string): string[] {
  try {
    return [new X509Certificate(Buffer.from(base64, 'base64')).toString()]
  } catch {
    return []
  }
}
