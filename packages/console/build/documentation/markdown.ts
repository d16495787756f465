import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import type { DocElement, DocHeading, DocNode } from '../../src/features/docs/document.ts'

export interface Parsed {
  title: string
  nodes: DocNode[]
  headings: DocHeading[]
}

/** A request in a fenced block, such as `POST /v1/disks?project=web`, with the page that explains it. */
export interface Example {
  slug: string
  method: string
  path: string
  text: string
}

/** What a page needs of its surroundings. */
export interface Surroundings {
  /** The address of a link's target, empty if it is not served; throws if there is none. */
  linkOf: (target: string) => string
  /** The elements of a drawing, by its file. */
  drawingOf: (file: string, caption: string) => DocElement
}

/** Reads Markdown into elements. Only these kinds exist, so that no page contains markup of its own. */
export function parseMarkdown(text: string, around: Surroundings): Parsed {
  const headings: DocHeading[] = []
  let title = ''
  const nodes: DocNode[] = []
  for (const token of lexer(text) as MarkedToken[]) {
    if (token.type === 'space') continue
    if (token.type === 'heading' && token.depth === 1) {
      title = textsOf(inline(token.tokens, around))
      continue
    }
    const node = block(token, around)
    const [tag, attributes, ...children] = node
    if (token.type === 'heading') {
      const { id = '' } = attributes ?? {}
      if (headings.some((other) => other.id === id)) throw new Error(`Two headings have the anchor #${id}.`)
      headings.push({ id, text: textsOf(children), level: token.depth })
    }
    // The first paragraph stands out.
    nodes.push(nodes.length === 0 && tag === 'p' ? ['lead', null, ...children] : node)
  }
  if (title === '') throw new Error('The page has no title: begin it with a heading of the first level.')
  return { title, nodes, headings }
}

/** The anchor of a heading, as other viewers of the files make it. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

function block(token: MarkedToken, around: Surroundings): DocElement {
  switch (token.type) {
    case 'heading': {
      const children = inline(token.tokens, around)
      return [`h${token.depth}`, { id: anchorOf(textsOf(children)) }, ...children]
    }
    case 'paragraph': {
      const [only, ...others] = token.tokens ?? []
      if (only?.type === 'image' && others.length === 0)
        return around.drawingOf((only as Tokens.Image).href, (only as Tokens.Image).text)
      return ['p', null, ...inline(token.tokens, around)]
    }
    case 'code':
      return ['code-block', { language: token.lang?.split(' ', 1)[0] ?? '', text: token.text }]
    case 'blockquote':
      return ['note', null, ...noteOf(token.tokens, around)]
    case 'list':
      return [
        token.ordered ? 'ol' : 'ul',
        null,
        ...token.items.map((item): DocNode => ['li', null, ...blocks(item.tokens, around)]),
      ]
    case 'table': {
      const row = (cells: Tokens.TableCell[], tag: string): DocNode => [
        'tr',
        null,
        ...cells.map((cell): DocNode => [tag, null, ...inline(cell.tokens, around)]),
      ]
      // A table with empty heads has none.
      const head = token.header.some(({ text }) => text !== '')
      return [
        'table',
        null,
        ...(head ? [['thead', null, row(token.header, 'th')] as DocNode] : []),
        ['tbody', null, ...token.rows.map((cells) => row(cells, 'td'))],
      ]
    }
    case 'text':
      return ['span', null, ...inline(token.tokens ?? [token], around)]
    case 'hr':
      return ['hr', null]
    default:
      throw new Error(`The page has what no page may have, a ${token.type}: ${token.raw.slice(0, 60)}`)
  }
}

/** A single paragraph needs no margins. */
function noteOf(tokens: readonly Token[] = [], around: Surroundings): DocNode[] {
  const [only, ...others] = tokens as MarkedToken[]
  return only?.type === 'paragraph' && others.length === 0
    ? inline(only.tokens, around)
    : blocks(tokens, around)
}

const blocks = (tokens: readonly Token[], around: Surroundings): DocNode[] =>
  (tokens as MarkedToken[]).filter(({ type }) => type !== 'space').map((token) => block(token, around))

const inline = (tokens: readonly Token[] = [], around: Surroundings): DocNode[] =>
  (tokens as MarkedToken[]).flatMap((token): DocNode[] => {
    switch (token.type) {
      case 'text':
        return token.tokens ? inline(token.tokens, around) : [spaced(token.text)]
      case 'escape':
        return [token.text]
      case 'strong':
      case 'em':
        return [[token.type, null, ...inline(token.tokens, around)]]
      case 'codespan':
        return [['code', null, token.text]]
      case 'br':
        return [['br', null]]
      case 'link': {
        const href = around.linkOf(token.href)
        const contents = inline(token.tokens, around)
        return href === '' ? contents : [['a', { href }, ...contents]]
      }
      default:
        throw new Error(`The page has what no page may have, a ${token.type}: ${token.raw.slice(0, 60)}`)
    }
  })

/** Line breaks of the file are spaces. */
const spaced = (text: string): string => text.replaceAll('\n', ' ')

/** The text of elements, without their markup. */
const textsOf = (nodes: readonly DocNode[]): string => nodes.map(textOf).join('')

export function textOf(node: DocNode): string {
  if (typeof node === 'string') return node
  const [tag, attributes, ...children] = node
  if (tag === 'code-block') return ` ${attributes?.text ?? ''} `
  if (tag === 'drawing') return ` ${attributes?.caption ?? ''} `
  return isBlock.has(tag) ? `${textsOf(children)} ` : textsOf(children)
}

const isBlock: ReadonlySet<string> = new Set([
  'p',
  'lead',
  'li',
  'tr',
  'td',
  'th',
  'dt',
  'dd',
  'h2',
  'h3',
  'h4',
  'note',
])
