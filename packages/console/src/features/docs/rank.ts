import type { DocEntry } from './document.ts'

/** Longer texts are cut. */
const longest = 80

interface Ranked {
  entry: DocEntry
  extract: string
}

/** What a question has besides its subject. */
const ofQuestions: ReadonlySet<string> = new Set(
  'a an are be can cannot do does how i is it my not of should t the to what when where which why will with'.split(
    ' ',
  ),
)

/**
 * The entries that have every word at the beginning of one of theirs. Of a question, the words of its subject must be
 * there, and the others only order what is found.
 */
export function rank(typed: string, entries: readonly DocEntry[], most: number): Ranked[] {
  const all = wordsOf(typed.slice(0, longest))
  const subject = all.filter((word) => !ofQuestions.has(word))
  const words = subject.length > 0 ? subject : all
  if (words.length === 0) return []
  const others = all.filter((word) => !words.includes(word))
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words, others) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ entry }) => ({ entry, extract: extractOf(entry.text, words) }))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []

/** Titles of pages count most, then other headings. A page of prose comes before a reference. */
function scoreOf(
  { slug, id, heading, text }: DocEntry,
  words: readonly string[],
  others: readonly string[],
): number {
  const [head, body] = [` ${heading.toLowerCase()}`, ` ${text.toLowerCase()}`]
  let score = 0
  for (const word of words) {
    const inHead = begins(head, word)
    if (!inHead && !begins(body, word)) return 0
    score += inHead ? 10 : 1
  }
  score += others.filter((word) => begins(head, word)).length
  const whole = words.join(' ')
  if (head.trim().startsWith(whole)) score += 10
  if (id === '') score += 4
  // The name of an operation is its anchor.
  if (id === whole) score += 40
  return /^(api-|filter-fields$)/.test(slug) ? score / 2 : score
}

/** Whether a word of the text begins so. */
function begins(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true
  return false
}

const around = 60

function extractOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const at = Math.max(0, ...words.map((word) => lower.indexOf(word)).filter((each) => each > around))
  const from = at > around ? text.indexOf(' ', at - around) + 1 : 0
  const cut = text.slice(from, from + 2 * around + 40)
  return `${from > 0 ? '… ' : ''}${cut}${from + cut.length < text.length ? ' …' : ''}`
}
