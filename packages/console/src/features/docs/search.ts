// @chunk apart: the texts of all pages, which only a search needs
import { entries, titles } from 'virtual:docs/search'
import type { DocEntry } from './document.ts'
import { rank } from './rank.ts'

export interface DocHit {
  slug: string
  /** The anchor; empty for a whole page. */
  id: string
  heading: string
  title: string
  section: string
  /** Some words around the first match in the text. */
  extract: string
}

/** Without the operations of the API. */
const prose = entries.filter(({ slug }) => !slug.startsWith('api-'))

/** The parts of the documentation that have all words, the best first. */
export const searchDocs = (typed: string, most: number, among: 'all' | 'prose' = 'all'): DocHit[] =>
  rank(typed, among === 'all' ? entries : prose, most).map(({ entry, extract }) => toHit(entry, extract))

const toHit = ({ slug, id, heading }: DocEntry, extract: string): DocHit => ({
  slug,
  id,
  heading,
  extract,
  title: titles[slug]?.title ?? '',
  section: titles[slug]?.section ?? '',
})
