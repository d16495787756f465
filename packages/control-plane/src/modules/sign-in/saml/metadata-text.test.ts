import { expect, test } from 'vitest'
import { textOfXml } from './metadata-text.ts'

const latin = (text: string) => new Uint8Array(Array.from(text, (letter) => letter.codePointAt(0) ?? 0))
const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string, isLittle: boolean) =>
  new Uint8Array(
    Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).flatMap((unit) =>
      isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255],
    ),
  )
const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a b="universität"/>`

test.each<[what: string, bytes: Uint8Array<ArrayBuffer>, text: string]>([
  ['UTF-8 without a declaration', utf8('<a b="universität"/>'), '<a b="universität"/>'],
  ['UTF-8 with a mark', utf8('\uFEFF<a b="ä"/>'), '<a b="ä"/>'],
  ['a mark against the declaration', utf8(`\uFEFF${declared('ISO-8859-1')}`), declared('ISO-8859-1')],
  ['ISO-8859-1', latin(declared('ISO-8859-1')), declared('ISO-8859-1')],
  [
    'in apostrophes',
    latin("<?xml version='1.0' encoding='latin1'?>ä"),
    "<?xml version='1.0' encoding='latin1'?>ä",
  ],
  ['UTF-16 with a mark', utf16(`\uFEFF${declared('UTF-16')}`, true), declared('UTF-16')],
  ['UTF-16 with the other mark', utf16(`\uFEFF${declared('UTF-16')}`, false), declared('UTF-16')],
  ['UTF-16 without a mark', utf16(declared('UTF-16'), false), declared('UTF-16')],
  ['UTF-8 that declares UTF-16', utf8(declared('UTF-16')), declared('UTF-16')],
  ['bytes that are not UTF-8', latin('<a b="ä"/>'), '<a b="\uFFFD"/>'],
  ['nothing', utf8(''), ''],
])('%s', (_, bytes, text) => expect(textOfXml(bytes)).toBe(text))

test('an unknown encoding is refused by its name', () => {
  expect(() => textOfXml(latin(declared('x-made-up')))).toThrow(
    'IDP metadata could not be read: it is encoded in "x-made-up", which is not supported',
  )
})

test.each<[what: string, bytes: Uint8Array<ArrayBuffer>, charset: string, text: string]>([
  ['no declaration', latin('<a b="ä"/>'), 'iso-8859-1', '<a b="ä"/>'],
  ['another declaration', latin(declared('UTF-8')), 'ISO-8859-1', declared('UTF-8')],
  ['a declaration of another, in UTF-8', utf8(declared('ISO-8859-1')), 'utf-8', declared('ISO-8859-1')],
  ['a mark, which comes first', utf8('\uFEFF<a b="ä"/>'), 'iso-8859-1', '<a b="ä"/>'],
  ['UTF-16 in either order', utf16(declared('UTF-16'), false), 'utf-16', declared('UTF-16')],
  ['UTF-16 of bytes that are not', latin(declared('ISO-8859-1')), 'utf-16', declared('ISO-8859-1')],
])('the charset of a response counts with %s', (_, bytes, charset, text) =>
  expect(textOfXml(bytes, charset)).toBe(text),
)

test('an unknown charset of a response is refused by its name', () => {
  expect(() => textOfXml(utf8('<a/>'), 'x-made-up')).toThrow(/it is encoded in "x-made-up"/)
})
