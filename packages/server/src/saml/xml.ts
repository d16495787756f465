import { parseDomFromString, xpath } from '@node-saml/node-saml/lib/xml.js'
import { unreadable } from '@gantry/control-plane/kernel/refusal'

/** Namespaces by the prefixes that paths here use. */
const namespaces = {
  md: 'urn:oasis:names:tc:SAML:2.0:metadata',
  samlp: 'urn:oasis:names:tc:SAML:2.0:protocol',
  saml: 'urn:oasis:names:tc:SAML:2.0:assertion',
  ds: 'http://www.w3.org/2000/09/xmldsig#',
} as const

/**
 * The document in a text. Types of documents are refused before anything reads the text: they are what fetches files
 * and multiplies entities, and SAML forbids them.
 */
export async function parseXml(text: string, what: string): Promise<Document> {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw unreadable(`${what} declares a document type`)
  try {
    return await parseDomFromString(text)
  } catch {
    throw unreadable(`${what} is not XML`)
  }
}

/** Elements at a path of `prefix:name` steps from a node, `//` for any depth. */
export const elements = (node: Node, path: string): Element[] =>
  xpath.selectElements(
    node,
    path.replaceAll(
      /(\w+):(\w+)/g,
      (_, prefix: keyof typeof namespaces, name: string) =>
        `*[local-name()='${name}' and namespace-uri()='${namespaces[prefix]}']`,
    ),
  )

export const textOf = (element: Element | undefined): string => element?.textContent?.trim() ?? ''
