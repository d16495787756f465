/** An element with its attributes and contents, or text: what a page of the documentation consists of. */
export type DocNode = string | DocElement
export type DocElement = readonly [tag: string, attributes: DocAttributes | null, ...children: DocNode[]]
export type DocAttributes = Readonly<Record<string, string>>

export interface DocLink {
  slug: string
  title: string
}

export interface DocHeading {
  id: string
  text: string
  level: number
}

export interface DocPage extends DocLink {
  section: string
  nodes: readonly DocNode[]
  headings: readonly DocHeading[]
  previous?: DocLink
  next?: DocLink
}

export interface DocSection {
  title: string
  pages: readonly DocLink[]
}

/** What is found: a page, or a part of one below a heading. */
export interface DocEntry {
  slug: string
  /** The anchor; empty for the beginning of the page. */
  id: string
  heading: string
  text: string
}
