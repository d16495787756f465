/**
 * Maximum size of a SAML document, in bytes. A response takes 5 kB plus 100 bytes per group, so 64 kB allow
 * 500 groups. Metadata takes 1 kB plus 1.5 to 2.5 kB per certificate, rarely more than three; directories
 * that also describe other protocols, with every claim they offer, reach tens of kilobytes.
 */
export const samlXmlMaxBytes = 64 * 1024

/** Seconds that a test sign-in waits for the provider, and that its result is kept. */
export const samlTestSeconds = 600

/** Maximum size of a form with such a document: base64, partly escaped, in lines, with the relay state. */
export const samlFormMaxBytes = 2 * samlXmlMaxBytes
