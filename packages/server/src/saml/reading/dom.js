import { parseDomFromString } from '@node-saml/node-saml/lib/xml.js'
import { checkBounds } from './bounds.js'
import { Unacceptable } from './unacceptable.js'
/** @import { Bounds } from './bounds.js' */

/** Namespaces by the prefixes used here. */
const namespaces = {
  md: 'urn:oasis:names:tc:SAML:2.0:metadata',
  samlp: 'urn:oasis:names:tc:SAML:2.0:protocol',
  saml: 'urn:oasis:names:tc:SAML:2.0:assertion',
  ds: 'http://www.w3.org/2000/09/xmldsig#',
}
/** @typedef {`${keyof typeof namespaces}:${string}`} Name */

/**
 * Parses a text after checking its bounds.
 * @param {string} text
 * @param {string} what The document in words.
 * @param {Bounds} bounds
 * @returns {Promise<Document>}
 */
export async function parseXml(text, what, bounds) {
  checkBounds(text, what, bounds)
  try {
    return await parseDomFromString(text)
  } catch {
    throw new Unacceptable(`${what} is not XML`)
  }
}

/**
 * Child elements of a name. Walked, because an XPath query compares each with all the others.
 * @param {Node} node
 * @param {Name} name
 */
export function children(node, name) {
  const found = []
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (isElement(child, name)) found.push(child)
  return found
}

/**
 * Descendant elements of a name.
 * @param {Node} node
 * @param {Name} name
 * @returns {Element[]}
 */
export function descendants(node, name) {
  const found = []
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (isElement(child, name)) found.push(child)
    for (const inner of descendants(child, name)) found.push(inner)
  }
  return found
}

/**
 * @param {Node} node
 * @param {Name} name
 * @returns {node is Element}
 */
function isElement(node, name) {
  const [prefix, localName] = /** @type {[keyof typeof namespaces, string]} */ (name.split(':'))
  const element = /** @type {Element} */ (node)
  return node.nodeType === 1 && element.localName === localName && element.namespaceURI === namespaces[prefix]
}

/** @param {Element | undefined} element */
export const textOf = (element) => element?.textContent?.trim() ?? ''
