import { damagedFile, unusable } from './unusable-file.ts'

/** An element with names as they are without a prefix. */
export interface Element {
  name: string
  attributes: ReadonlyMap<string, string>
  children: Element[]
  text: string
}

const depthMax = 32
const elementsMax = 10_000

/**
 * Reads the XML that an OVF envelope is. What could expand or name other files is refused, not read: a document type with
 * its entities. The text is bounded before.
 */
export function readXml(text: string): Element {
  const open: Element[] = [newElement('', new Map())]
  let count = 0
  for (let at = 0; at < text.length;) {
    const parent = open.at(-1)
    if (!parent) throw bad()
    const start = text.indexOf('<', at)
    parent.text += decoded(text.slice(at, start === -1 ? undefined : start))
    if (start === -1) break
    if (text.startsWith('<!--', start)) at = after(text, '-->', start)
    else if (text.startsWith('<![CDATA[', start)) {
      at = after(text, ']]>', start)
      parent.text += text.slice(start + 9, at - 3)
    } else if (text.startsWith('<?', start)) at = after(text, '?>', start)
    else if (text.startsWith('<!', start))
      throw unusable(
        'The description of the OVA has a document type, which is not read.',
        'Remove its line <!DOCTYPE …>, then pack and upload it again.',
      )
    else if (text.startsWith('</', start)) {
      at = after(text, '>', start)
      if (localOf(text.slice(start + 2, at - 1).trim()) !== parent.name || open.length === 1) throw bad()
      open.pop()
    } else {
      const end = tagEnd(text, start)
      const isEmpty = text[end - 1] === '/'
      const element = elementOf(text.slice(start + 1, isEmpty ? end - 1 : end))
      if (++count > elementsMax || open.length > depthMax) throw damagedFile('its description is too large')
      parent.children.push(element)
      if (!isEmpty) open.push(element)
      at = end + 1
    }
  }
  const [root] = open[0]?.children ?? []
  if (!root || open.length > 1) throw bad()
  return root
}

const bad = () => damagedFile('its description is not well-formed XML')

const newElement = (name: string, attributes: ReadonlyMap<string, string>): Element => ({
  name,
  attributes,
  children: [],
  text: '',
})

function after(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from)
  if (at === -1) throw bad()
  return at + end.length
}

/** Where a tag ends: values of attributes may contain its end. */
function tagEnd(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const one = text[at] ?? ''
    if (quote !== '') quote = one === quote ? '' : quote
    else if (one === '"' || one === "'") quote = one
    else if (one === '>') return at
  }
  throw bad()
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1)

function elementOf(tag: string): Element {
  const name = /^[^\s=<>"'/]+/.exec(tag)?.[0]
  if (name === undefined) throw bad()
  const attributes = new Map<string, string>()
  // Each begins where the one before ended, so that the time follows from the length.
  const attribute = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y
  const end = name.length + tag.slice(name.length).trimEnd().length
  attribute.lastIndex = name.length
  for (let at = name.length; at < end; at = attribute.lastIndex) {
    const [, key = '', double, single] = attribute.exec(tag) ?? []
    if (key === '') throw bad()
    attributes.set(localOf(key), decoded(double ?? single ?? ''))
  }
  return newElement(localOf(name), attributes)
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const decoded = (text: string): string =>
  text.replaceAll(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|\w+);/g, (all, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? all
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

/** The elements of this name at any depth, in order. */
export function allOf(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...allOf(child, name)])
}

export const childText = (element: Element, name: string): string | undefined =>
  element.children.find((child) => child.name === name)?.text.trim()
