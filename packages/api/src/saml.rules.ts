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
