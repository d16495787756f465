import { invalid } from '@gantry/control-plane/context/refusal'

/** A declaration is the first thing in a document, and short. */
const declarationBytes = 256
const declaration = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([a-z][\w.-]{0,40})["']/i

/**
 * The text of an XML document: its encoding is that of a byte order mark, then the charset of the response that it came
 * with, then its own declaration (RFC 7303, 3.2 and 3.3; XML 1.0, appendix F). Bytes that are not of the encoding are
 * replaced, as in the reference (control plane reference, A 9.4); where they matter, reading the document refuses them.
 */
export function textOfXml(bytes: Uint8Array<ArrayBuffer>, charset?: string): string {
  const label = encodingOf(bytes, charset)
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    throw invalid(
      `IDP metadata could not be read: it is encoded in ${JSON.stringify(label)}, which is not supported`,
      'Save it in UTF-8, and declare that encoding.',
    )
  }
}

function encodingOf(bytes: Uint8Array, charset: string | undefined): string {
  const [a = 0, b = 0, c = 0] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  // The `<` that a document without a mark begins with tells the order of bytes, which "UTF-16" leaves open.
  const sniffed = a === 0x3c && b === 0 ? 'utf-16le' : a === 0 && b === 0x3c ? 'utf-16be' : undefined
  if (charset !== undefined && !isUtf16(charset)) return charset
  if (sniffed) return sniffed
  const start = String.fromCharCode(...bytes.subarray(0, declarationBytes))
  const declared = declaration.exec(start)?.[1] ?? 'utf-8'
  // A declaration that was readable as bytes is not in UTF-16: an editor converted the document and left it.
  return isUtf16(declared) ? 'utf-8' : declared
}

const isUtf16 = (label: string): boolean => /^(utf|ucs|iso-10646-ucs)-?(16|2)/i.test(label)
