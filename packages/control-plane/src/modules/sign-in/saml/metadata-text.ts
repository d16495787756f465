import { invalid } from '@gantry/control-plane/context/refusal'

/** A declaration is the first thing in a document, and short. */
const declarationBytes = 256
const declaration = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([a-z][\w.-]{0,40})["']/i

/**
 * The text of an XML document in the encoding that it says: a byte order mark first, then its declaration (XML 1.0,
 * appendix F). Bytes that are not of the encoding are replaced, as in the reference (control plane reference, A 9.4);
 * where they matter, reading the document refuses them.
 */
export function textOfXml(bytes: Uint8Array<ArrayBuffer>): string {
  const label = encodingOf(bytes)
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    throw invalid(
      `IDP metadata could not be read: it is encoded in ${JSON.stringify(label)}, which is not supported`,
      'Save it in UTF-8, and declare that encoding.',
    )
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [a = 0, b = 0] = bytes
  // Both by their marks, and by the `<` that a document without one begins with.
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be'
  if (a === 0xef && b === 0xbb) return 'utf-8'
  const start = String.fromCharCode(...bytes.subarray(0, declarationBytes))
  const declared = declaration.exec(start)?.[1] ?? 'utf-8'
  // A declaration that was readable as bytes is not in UTF-16: an editor converted the document and left it.
  return /^(utf|ucs|iso-10646-ucs)-?(16|2)/i.test(declared) ? 'utf-8' : declared
}
