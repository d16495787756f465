import { Unacceptable } from './unacceptable.js'

/**
 * Maximum counts in a document.
 * @typedef {object} Bounds
 * @property {number} elements
 * @property {number} attributes
 * @property {number} asides Comments, processing instructions and CDATA sections.
 */

/**
 * For a response: the signature library compares nodes with all their siblings, so its work is quadratic in
 * these. A response with 500 groups, each a value with its type and two namespaces, fits.
 */
export const responseBounds = { elements: 1000, attributes: 2000, asides: 50 }

/**
 * For documents from a trusted author that no XPath query touches. Metadata of directories names every claim
 * they offer, once for each of their roles. A verified assertion comes in its signed form, which may repeat
 * each namespace declaration.
 */
export const trustedBounds = { elements: 4000, attributes: 8000, asides: 200 }

/** Per element. */
const maxAttributesTogether = 32
const maxDepth = 24
/** Characters: each namespace prefix in a list is looked up in all enclosing namespaces. */
const maxAttributeLength = 2048

const name = String.raw`[^\s<>/=&"'!?]{1,256}`
const tokens = {
  text: /[^<]+/y,
  comment: /<!--[^]*?-->/y,
  cdata: /<!\[CDATA\[[^]*?\]\]>/y,
  // Short, because the parser scans its blanks repeatedly.
  instruction: /<\?[^<>]{1,256}\?>/y,
  endTag: new RegExp(String.raw`</(${name})\s*>`, 'y'),
  startTag: new RegExp(`<(${name})`, 'y'),
  attribute: new RegExp(String.raw`\s+(${name})\s*=\s*("[^"<]*"|'[^'<]*')`, 'y'),
  startTagEnd: /\s*(\/?)>/y,
}
/** All others would need a declaration. */
const undeclaredReference = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i

/**
 * Refuses a text that is not XML or exceeds what a SAML document needs, in one pass over the characters and
 * before a parser builds anything. It accepts less than XML allows: no document type, no entities, nothing
 * lenient, so that no later parser can find more in the text than was counted here.
 * @param {string} text
 * @param {string} what The document in words.
 * @param {Bounds} bounds
 * @returns {Bounds} The count of each kind.
 */
export function checkBounds(text, what, bounds) {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Unacceptable(`${what} declares a document type`)
  const notXml = () => new Unacceptable(`${what} is not XML`)
  /** @type {string[]} */
  const open = []
  const counted = { elements: 0, attributes: 0, asides: 0 }
  let at = 0

  /** @param {RegExp} token */
  const take = (token) => {
    token.lastIndex = at
    const found = token.exec(text)
    if (found) at = token.lastIndex
    return found
  }
  /** @param {keyof Bounds} kind */
  const count = (kind) => {
    counted[kind] += 1
    if (counted[kind] > bounds[kind]) throw tooMany(what, bounds, kind)
  }
  const startTag = () => {
    const tag = take(tokens.startTag)?.[1]
    if (tag === undefined || (open.length === 0 && counted.elements > 0)) throw notXml()
    count('elements')
    if (open.length >= maxDepth) throw new Unacceptable(`${what} is nested deeper than ${maxDepth} elements`)
    const names = new Set()
    for (let found = take(tokens.attribute); found; found = take(tokens.attribute)) {
      const [, attribute = '', value = ''] = found
      count('attributes')
      if (names.has(attribute) || undeclaredReference.test(value)) throw notXml()
      if (names.add(attribute).size > maxAttributesTogether)
        throw new Unacceptable(`${what} has an element with more than ${maxAttributesTogether} attributes`)
      if (value.length > maxAttributeLength)
        throw new Unacceptable(`${what} has an attribute longer than ${maxAttributeLength} characters`)
    }
    const end = take(tokens.startTagEnd)
    if (!end) throw notXml()
    if (end[1] === '') open.push(tag)
  }

  while (at < text.length) {
    const characters = take(tokens.text)
    if (characters) {
      if (undeclaredReference.test(characters[0])) throw notXml()
      if (open.length === 0 && characters[0].trim() !== '') throw notXml()
    } else if (take(tokens.comment) || take(tokens.instruction)) count('asides')
    else if (open.length > 0 && take(tokens.cdata)) count('asides')
    else {
      const end = take(tokens.endTag)
      if (!end) startTag()
      else if (open.pop() !== end[1]) throw notXml()
    }
  }
  if (open.length > 0 || counted.elements === 0) throw notXml()
  return counted
}

/**
 * @param {string} what
 * @param {Bounds} bounds
 * @param {keyof Bounds} kind
 */
function tooMany(what, bounds, kind) {
  const nouns = kind === 'asides' ? 'comments and processing instructions' : kind
  return new Unacceptable(`${what} has more than ${bounds[kind]} ${nouns}`)
}
