/**
 * Maximum size of a SAML response, in bytes. It takes 5 kB plus 100 bytes per group, so 64 kB allow 500 groups.
 */
export const samlXmlMaxBytes = 64 * 1024

/**
 * Maximum size of metadata, in bytes. A provider takes 1 kB plus 1.5 to 2.5 kB per certificate, rarely more than three;
 * directories that also describe other protocols, with every claim they offer, reach 80 kB, and federations describe
 * dozens of providers.
 */
export const samlMetadataMaxBytes = 256 * 1024

/** Seconds that a test sign-in waits for the provider, and that its result is kept. */
export const samlTestSeconds = 600

/** Maximum size of a form with such a document: base64, partly escaped, in lines, with the relay state. */
export const samlFormMaxBytes = 2 * samlXmlMaxBytes

/** The path of a silo's server at which it takes a provider's responses. */
export const acsPath = (silo: string, provider: string): string => `/login/${silo}/saml/${provider}`

/** Host names of examples and unfinished forms, which do not exist. */
const placeholderHost = /(^|\.)placeholder$/

/** The problem with an ACS URL, to which the identity provider makes browsers send its responses. */
export function acsUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return 'it must be an address that begins with https://'
  if (placeholderHost.test(url.hostname)) return 'its host is a placeholder'
  return undefined
}
