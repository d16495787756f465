import { createElement, type ReactNode } from 'react'
import { RouteAnchor } from '#/kit/links/PageLink.tsx'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { classes } from '#/ui/classes.ts'
import { ExternalLink } from '#/ui/ExternalLink.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import type { DocAttributes, DocNode } from './document.ts'

/** Elements of a page. What they are was decided when the page was built: no text of theirs is markup. */
export const DocNodes = ({ nodes }: { nodes: readonly DocNode[] }): ReactNode =>
  // oxlint-disable-next-line react/no-array-index-key -- a page never changes while it is shown
  nodes.map((node, index) => <Part key={index} node={node} />)

function Part({ node }: { node: DocNode }): ReactNode {
  if (typeof node === 'string') return node
  const [tag, attributes, ...children] = node
  const contents = <DocNodes nodes={children} />
  switch (tag) {
    case 'lead':
      return <p className="mb-3.5 text-md">{contents}</p>
    case 'h2':
    case 'h3':
    case 'h4':
      return <Heading tag={tag} id={attributes?.id ?? ''} contents={contents} />
    case 'a':
      return <DocAnchor href={attributes?.href ?? ''}>{contents}</DocAnchor>
    case 'code-block':
      return <CodeBlock {...(attributes ?? {})} />
    case 'note':
      return <Note className="mb-3.5">{contents}</Note>
    case 'facts':
      return (
        <dl className="mb-3.5 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm ">
          {contents}
        </dl>
      )
    case 'table':
      return <Table contents={contents} />
    case 'drawing':
      return <Drawing caption={attributes?.caption ?? ''} parts={children} />
    case 'br':
    case 'hr':
      return createElement(tag)
    default:
      return createElement(tag, { className: looks[tag] }, contents)
  }
}

const looks: Readonly<Record<string, string>> = {
  p: 'mb-3.5 wrap-anywhere',
  ol: 'steps mb-3.5',
  ul: 'mb-3.5 list-disc space-y-1 pl-5',
  code: 'rounded-tag bg-sunken px-1 py-px font-mono text-[0.8125rem] text-strong wrap-anywhere',
  strong: 'font-semibold text-strong',
  th: 'border-b border-line px-3 py-2 text-left align-top text-xs font-medium text-muted',
  td: 'border-b border-faint-line px-3 py-2 align-top max-w-100 min-w-24',
  dt: 'text-muted',
  dd: 'wrap-anywhere',
}

const headingLooks = { h2: 'mt-7 mb-1.5 text-md', h3: 'mt-6 mb-1.5 text-base', h4: 'mt-4 mb-1 text-base' }

/** Its own link is in the contents of the page, which is not there on phones. */
function Heading({ tag: Tag, id, contents }: { tag: 'h2' | 'h3' | 'h4'; id: string; contents: ReactNode }) {
  return (
    <Tag id={id} className={classes('group scroll-mt-4', headingLooks[Tag])}>
      {contents}
      <a
        href={`#${id}`}
        aria-label="Link to this part"
        className="ml-2 text-muted opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
      >
        #
      </a>
    </Tag>
  )
}

function DocAnchor({ href, children }: { href: string; children: ReactNode }) {
  if (/^https?:/.test(href)) return <ExternalLink href={href}>{children}</ExternalLink>
  // The browser finds the place on this page, and fetches files.
  if (href.startsWith('#') || href.endsWith('.json'))
    return (
      <a href={href} className="link">
        {children}
      </a>
    )
  return (
    <RouteAnchor href={href} className="link">
      {children}
    </RouteAnchor>
  )
}

function CodeBlock({ text = '', language = '' }: DocAttributes) {
  return (
    <div className="relative mb-3.5">
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls, also by keyboard
        tabIndex={0}
        aria-label={language === 'path' ? 'Request' : 'Code'}
        role="group"
        className="overflow-x-auto rounded-control border border-term-line bg-term-bg py-3 pr-11 pl-3.5 font-mono text-sm text-term-text"
      >
        {text.split('\n').map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a page never changes while it is shown
          <span key={index} className={/^\s*#/.test(line) ? 'text-term-dim' : undefined}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
      <CopyButton text={text} className="absolute! top-2.5 right-2.5 text-term-dim!" />
    </div>
  )
}

function Table({ contents }: { contents: ReactNode }) {
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls, also by keyboard
      tabIndex={0}
      role="group"
      aria-label="Table"
      className="mb-3.5 overflow-x-auto rounded-block border border-line [&_td:first-child_code]:whitespace-nowrap [&_tr:last-child>td]:border-b-0"
    >
      <table className="w-full border-collapse text-sm">{contents}</table>
    </div>
  )
}

/** A second drawing, if there is one, is for narrow screens. */
function Drawing({ caption, parts: [wide = '', narrow] }: { caption: string; parts: readonly DocNode[] }) {
  return (
    <figure className="mb-4">
      <div className="rounded-block border border-line bg-sunken p-3">
        <Svg node={wide} caption={caption} className={narrow ? 'max-md:hidden' : undefined} />
        {narrow && <Svg node={narrow} caption={caption} className="md:hidden" />}
      </div>
      <figcaption className="mt-2 text-sm text-muted">{caption}</figcaption>
    </figure>
  )
}

function Svg({
  node,
  caption,
  className,
}: {
  node: DocNode
  caption: string
  className: string | undefined
}) {
  if (typeof node === 'string') return null
  const [, attributes, ...children] = node
  const width = Number(attributes?.viewBox?.split(' ')[2] ?? 0)
  return (
    <svg
      viewBox={attributes?.viewBox}
      role="img"
      aria-label={caption}
      className={classes('mx-auto block h-auto w-full', className)}
      // Letters stay as large as those of the text.
      style={{ maxWidth: `${width * 1.08}px` }}
    >
      {children.map((child, index) => shape(child, index))}
    </svg>
  )
}

const letters = { fill: 'var(--text-strong)', fontSize: '0.8125rem', fontWeight: 500 }
const smallLetters = { fontSize: '0.78125rem', fontWeight: 400 }
const line = { stroke: 'var(--line-control)', strokeWidth: 1.25 }

/** What the classes of drawings stand for. The colours follow the theme; later classes win. */
const drawn: Readonly<Record<string, object>> = {
  box: { ...line, fill: 'var(--surface-page)' },
  area: { ...line, fill: 'none' },
  wire: { fill: 'none', stroke: 'var(--text-muted)', strokeWidth: 1.5 },
  dash: { strokeDasharray: '4 3' },
  head: { fill: 'var(--text-muted)' },
  accent: { fill: 'var(--surface-selected)', stroke: 'var(--accent-edge)' },
  small: { ...smallLetters, fill: 'var(--text-muted)' },
  mono: { ...smallLetters, fill: 'var(--text)', fontFamily: 'var(--face-mono)' },
}

function shape(node: DocNode, key: number): ReactNode {
  if (typeof node === 'string') return node
  const [tag, given, ...children] = node
  const { className = '', ...attributes } = given ?? {}
  const looks = Object.assign({}, ...className.split(' ').map((name) => drawn[name])) as object
  return createElement(
    tag,
    { key, ...(tag === 'text' && letters), ...looks, ...attributes },
    ...children.map((child, index) => shape(child, index)),
  )
}
