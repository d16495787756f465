import fs from 'node:fs'
import path from 'node:path'
import type {
  DocElement,
  DocEntry,
  DocLink,
  DocNode,
  DocPage,
  DocSection,
} from '../../src/features/docs/document.ts'
import { apiPages } from './api-pages.ts'
import { parseDrawing } from './drawing.ts'
import { filterFieldsPage } from './filter-fields.ts'
import { type Example, type Parsed, parseMarkdown, textOf } from './markdown.ts'

export const docsFolder = path.resolve(import.meta.dirname, '../../../../docs')

/** Sections in order, each with the paths of its pages below `docs`, without `.md`. */
type Contents = readonly { title: string; pages: readonly string[] }[]

export interface Documentation {
  sections: DocSection[]
  pages: DocPage[]
  entries: DocEntry[]
  /** Links from pages to pages of the console. */
  consoleLinks: { slug: string; href: string }[]
}

/** Pages for engineers, who read them in the repository. */
const notPages: ReadonlySet<string> = new Set(['measurements'])

/** A file beside the contents that they do not name is the last of its section. */
function readContents(folder: string): Contents {
  const contents = JSON.parse(fs.readFileSync(path.join(folder, 'contents.json'), 'utf8')) as Contents
  const named = new Set(contents.flatMap(({ pages }) => pages))
  const others = fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .filter((file) => !named.has(file) && !notPages.has(file))
  return contents.map(({ title, pages }) =>
    title === 'Reference' ? { title, pages: [...pages, ...others.sort()] } : { title, pages },
  )
}

const slugOf = (file: string): string => path.posix.basename(file)

interface Source {
  slug: string
  section: string
  parsed: Parsed
}

/** Every page, from the Markdown files that the contents name and from the description of the API. */
export function readDocumentation(folder = docsFolder): Documentation {
  const contents = readContents(folder)
  const slugs = new Map(contents.flatMap(({ pages }) => pages.map((file) => [file, slugOf(file)] as const)))
  if (new Set(slugs.values()).size < slugs.size)
    throw new Error('Two pages of docs/contents.json share a name.')
  const consoleLinks: Documentation['consoleLinks'] = []
  const drawings = new Map<string, DocNode>()

  const read = (file: string, section: string): Source => {
    const slug = slugOf(file)
    try {
      const text = fs.readFileSync(path.join(folder, `${file}.md`), 'utf8')
      const linkOf = (target: string): string => {
        if (/^https?:/.test(target)) return target
        if (target.startsWith('#')) return target
        const [to = '', anchor] = target.split('#')
        const hash = anchor ? `#${anchor}` : ''
        if (to.startsWith('/docs/')) return target
        if (to.startsWith('/')) {
          consoleLinks.push({ slug, href: to })
          return target
        }
        const found = path.posix.join(path.posix.dirname(file), to)
        const page = slugs.get(found.replace(/\.md$/, ''))
        if (page !== undefined && found.endsWith('.md')) return `/docs/${page}${hash}`
        // A file that the console serves beside the pages.
        if (servedFiles.includes(found)) return `/docs/${found}`
        // What only the repository has is named without a link.
        if (fs.existsSync(path.join(folder, found))) return ''
        throw new Error(`No page is at ${target}.`)
      }
      const drawingOf = (href: string, caption: string): DocElement => {
        const at = path.join(folder, path.posix.dirname(file), href)
        const narrow = at.replace(/\.svg$/, '.narrow.svg')
        const of = (one: string): DocNode => {
          const known = drawings.get(one) ?? parseDrawing(fs.readFileSync(one, 'utf8'))
          drawings.set(one, known)
          return known
        }
        return ['drawing', { caption }, of(at), ...(fs.existsSync(narrow) ? [of(narrow)] : [])]
      }
      return { slug, section, parsed: parseMarkdown(text, { linkOf, drawingOf }) }
    } catch (error) {
      throw new Error(`docs/${file}.md: ${(error as Error).message}`, { cause: error })
    }
  }

  const sources = contents.flatMap(({ title, pages }) =>
    pages.flatMap((file) => {
      const page = read(file, title)
      if (file !== 'filters') return [page]
      return [page, { slug: 'filter-fields', section: title, parsed: filterFieldsPage() }]
    }),
  )
  const examples = sources.flatMap(({ slug, parsed }) => examplesIn(slug, parsed.nodes))
  const ofApi = apiPages(examples).map(({ slug, ...parsed }) => ({ slug, section: apiSection, parsed }))
  const all = [...sources, ...ofApi]
  const sections: DocSection[] = [...new Set(all.map(({ section }) => section))].map((title) => ({
    title,
    pages: all
      .filter(({ section }) => section === title)
      .map(({ slug, parsed }) => ({ slug, title: parsed.title })),
  }))
  const inOrder: DocLink[] = sections.flatMap(({ pages }) => pages)
  const pages = all.map(({ slug, section, parsed }): DocPage => {
    const index = inOrder.findIndex((page) => page.slug === slug)
    const [previous, next] = [inOrder[index - 1], inOrder[index + 1]]
    return { slug, section, ...parsed, ...(previous && { previous }), ...(next && { next }) }
  })
  checkAnchors(pages)
  return { sections, pages, entries: pages.flatMap(entriesOf), consoleLinks }
}

/** The reference of the API, which is generated, comes last. */
const apiSection = 'API'

/** Files below `docs` that are served as they are, for programs. */
export const servedFiles: readonly string[] = ['grafana/gantry.json']

const examplesIn = (slug: string, nodes: readonly DocNode[]): Example[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    const [tag, attributes, ...children] = node
    if (tag !== 'code-block' || attributes?.language !== 'http') return examplesIn(slug, children)
    const [, method = '', at = ''] = /^([A-Z]+) ([^?\s]+)/.exec(attributes.text ?? '') ?? []
    return [{ slug, method, path: at, text: attributes.text ?? '' }]
  })

/** Every link to an anchor must lead to a heading. */
function checkAnchors(pages: readonly DocPage[]): void {
  const anchors = new Map(pages.map(({ slug, headings }) => [slug, new Set(headings.map(({ id }) => id))]))
  const dead = pages.flatMap(({ slug, nodes }) =>
    linksIn(nodes).flatMap((href) => {
      if (!href.startsWith('#') && !href.startsWith('/docs/')) return []
      if (servedFiles.includes(href.replace('/docs/', ''))) return []
      const [to = '', anchor] = href.replace('/docs/', '').split('#')
      const target = anchors.get(to || slug)
      return target && (!anchor || target.has(anchor)) ? [] : [`${slug}: ${href}`]
    }),
  )
  if (dead.length > 0) throw new Error(`Links of the documentation lead nowhere:\n${dead.join('\n')}`)
}

const linksIn = (nodes: readonly DocNode[]): string[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    const [tag, attributes, ...children] = node
    return [...(tag === 'a' && attributes?.href ? [attributes.href] : []), ...linksIn(children)]
  })

/** Letters of an operation that are searched: its path and name come first, and its fields would be half of all texts. */
const mostOfApi = 160

/** A page as it is searched: its beginning, and what is below each of its headings. */
function entriesOf({ slug, title, section, nodes }: DocPage): DocEntry[] {
  const entries: (DocEntry & { parts: string[] })[] = [{ slug, id: '', heading: title, text: '', parts: [] }]
  for (const node of nodes) {
    if (typeof node !== 'string' && /^h[2-4]$/.test(node[0]))
      entries.push({ slug, id: node[1]?.id ?? '', heading: textOf(node).trim(), text: '', parts: [] })
    else entries.at(-1)?.parts.push(textOf(node))
  }
  const most = section === apiSection ? mostOfApi : Number.POSITIVE_INFINITY
  return entries.map(({ parts, ...entry }) => ({
    ...entry,
    text: parts.join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, most),
  }))
}
