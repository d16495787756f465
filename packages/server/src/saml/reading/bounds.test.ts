import { parseDomFromString } from '@node-saml/node-saml/lib/xml.js'
import { expect, test } from 'vitest'
import { identityProvider } from '../../testing/identity-provider.ts'
import { checkBounds } from './bounds.js'

const idp = identityProvider({ audience: 'gantry', recipient: 'https://gantry.example/acs' })
const bounds = { elements: 200, attributes: 200, asides: 5 }
const check = (text: string) => checkBounds(text, 'It', bounds)

/** What the actual parser finds in a text. */
async function parsed(text: string) {
  const found = { elements: 0, attributes: 0, asides: 0 }
  const walk = (node: Node): void => {
    if (node.nodeType === 1) {
      found.elements += 1
      found.attributes += (node as Element).attributes.length
    } else if (node.nodeType !== 3) found.asides += 1
    for (let child = node.firstChild; child; child = child.nextSibling) walk(child)
  }
  const document = await parseDomFromString(text)
  for (let child = document.firstChild; child; child = child.nextSibling) walk(child)
  return found
}

test.each([
  '<a/>',
  '<?xml version="1.0" encoding="UTF-8"?>\n<a b="1" c=\'2\'>text<b></b ><!-- <c/> --></a>\n<!-- end -->',
  `<a><![CDATA[<b/><b/> & ]] > ]]>${'<b/>'.repeat(5)}</a>`,
  '<a b=">" c=" /> ">&lt;b/&gt; &#60;b/&#62; &#x3C;b/&#x3e;</a>',
  '<p:a xmlns:p="urn:p"><p:b\n\tp:c = "&quot;"\n/></p:a>',
  '<html xmlns="http://www.w3.org/1999/xhtml"><br></br><script>1</script></html>',
  idp.metadata,
  idp.respond({ attributes: { groups: ['a', 'b'] } }, { what: 'both' }),
])("the counts for %j match a parser's", async (text) => {
  expect(check(text)).toEqual(await parsed(text))
})

const notXml = 'It is not XML'
test.each<[what: string, text: string, message: string]>([
  ['nothing', '', notXml],
  ['text', 'hello', notXml],
  ['text behind it', '<a/>hello', notXml],
  ['two roots', '<a/><b/>', notXml],
  ['an open element', '<a><b></a>', notXml],
  ['an element never closed', '<a>', notXml],
  ['an end alone', '</a>', notXml],
  ['elements in an attribute', '<a b="<c/>"/>', notXml],
  ['an attribute without quotes', '<a b=c/>', notXml],
  ['an attribute without a value', '<a b/>', notXml],
  ['attributes without a blank between them', '<a b="c"d="e"/>', notXml],
  ['an attribute twice', '<a b="c" b="d"/>', notXml],
  ['an attribute in an end', '<a></a b="c">', notXml],
  ['an open comment', '<a><!-- </a>', notXml],
  ['an open instruction', '<?xml', notXml],
  ['a long instruction', `<?x ${' '.repeat(300)}?><a/>`, notXml],
  ['CDATA outside', '<a/><![CDATA[b]]>', notXml],
  ['an unknown entity', '<a>&b;</a>', notXml],
  ['an unknown entity in an attribute', '<a b="&c;"/>', notXml],
  ['a bare ampersand', '<a>&</a>', notXml],
  ['a document type', '<!DOCTYPE a><a/>', 'It declares a document type'],
  ['an entity', '<a><!entity b "c"></a>', 'It declares a document type'],
  ['too many elements', `<a>${'<b/>'.repeat(200)}</a>`, 'It has more than 200 elements'],
  ['too many attributes', `<a>${'<b c="" d=""/>'.repeat(101)}</a>`, 'It has more than 200 attributes'],
  [
    'too many attributes of one',
    `<a ${Array.from({ length: 33 }, (_, index) => `b${index}=""`).join(' ')}/>`,
    'It has an element with more than 32 attributes',
  ],
  ['a long attribute', `<a b="${'c'.repeat(2050)}"/>`, 'It has an attribute longer than 2048 characters'],
  ['too deep', `${'<a>'.repeat(25)}${'</a>'.repeat(25)}`, 'It is nested deeper than 24 elements'],
  [
    'too many comments',
    `<a>${'<!---->'.repeat(6)}</a>`,
    'It has more than 5 comments and processing instructions',
  ],
])('%s is refused', (_, text, message) => {
  expect(() => check(text)).toThrow(message)
})

test('the maximum is accepted', () => {
  expect(check(`<a>${'<b c=""/>'.repeat(199)}</a>`)).toEqual({ elements: 200, attributes: 199, asides: 0 })
  expect(check(`${'<a>'.repeat(24)}${'</a>'.repeat(24)}`)).toEqual({ elements: 24, attributes: 0, asides: 0 })
})
