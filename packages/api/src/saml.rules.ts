/**
 * Largest SAML document that is read, in bytes. A response takes 5 kB and 100 bytes for each group, so that 64 kB hold
 * 500. A provider's description of itself takes 1 kB and 1.5 to 2.5 kB for each certificate, of which it seldom has
 * more than three; directories that also describe themselves for other protocols, with every claim they offer, come to
 * tens of kilobytes.
 */
export const samlXmlMaxBytes = 64 * 1024

/** A form that carries such a document: base64, some of it escaped, in lines, with where to go on. */
export const samlFormMaxBytes = 2 * samlXmlMaxBytes
