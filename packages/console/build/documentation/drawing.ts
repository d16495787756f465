import type { DocNode } from '../../src/features/docs/document.ts'

const elements: ReadonlySet<string> = new Set(['svg', 'g', 'rect', 'circle', 'path', 'text', 'tspan'])
/** Looks come from classes alone, which follow the theme. */
const attributes = /^(viewBox|x|y|width|height|rx|cx|cy|r|d|transform|text-anchor|class)$/
const drawingClasses: ReadonlySet<string> = new Set([
  'box',
  'area',
  'wire',
  'dash',
  'head',
  'small',
  'mono',
  'accent',
])

/** Reads the elements of a drawing: SVG of these elements and attributes only. */
export function parseDrawing(svg: string): DocNode {
  const open: { tag: string; attributes: Record<string, string>; children: DocNode[] }[] = []
  let root: DocNode | undefined
  const close = (): void => {
    const done = open.pop()
    if (!done) throw new Error('The drawing closes what it never opened.')
    const node: DocNode = [done.tag, done.attributes, ...done.children]
    const parent = open.at(-1)
    if (parent) parent.children.push(node)
    else root = node
  }
  for (const [, end, tag, rest = '', alone, text = ''] of svg.matchAll(
    /<(\/?)([a-zA-Z]+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g,
  )) {
    if (tag === undefined) {
      if (text.trim() !== '') open.at(-1)?.children.push(text.trim().replaceAll('&amp;', '&'))
    } else if (end) close()
    else {
      if (!elements.has(tag)) throw new Error(`A drawing has no <${tag}>.`)
      open.push({ tag, attributes: attributesOf(rest), children: [] })
      if (alone) close()
    }
  }
  if (!root || open.length > 0) throw new Error('The drawing is not complete.')
  return root
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/([\w-]+)="([^"]*)"/g)) {
    if (name === 'xmlns') continue
    if (!attributes.test(name)) throw new Error(`A drawing has no attribute ${name}.`)
    for (const each of name === 'class' ? value.split(' ') : [])
      if (!drawingClasses.has(each)) throw new Error(`Drawings have no class ${each}.`)
    found[name === 'class' ? 'className' : name === 'text-anchor' ? 'textAnchor' : name] = value
  }
  return found
}
