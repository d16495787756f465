export interface FuzzyMatch {
  score: number
  /** Matched positions in the label, for highlighting. */
  at: number[]
}

/**
 * Whether the letters of `typed` occur in `label` in order, ignoring white space and case. Runs and word starts score
 * higher; undefined without a match.
 */
export function fuzzyMatch(typed: string, label: string): FuzzyMatch | undefined {
  const wanted = typed.toLowerCase().replace(/\s+/g, '')
  const text = label.toLowerCase()
  // One unbroken run is the best match, so try it first.
  const run = text.indexOf(wanted)
  if (run !== -1 && wanted) {
    const at = Array.from(wanted, (_, index) => run + index)
    return { score: 100 + (startsWord(text, run) ? 50 : 0) - run, at }
  }
  const at: number[] = []
  let score = 0
  for (const letter of wanted) {
    const from = (at.at(-1) ?? -1) + 1
    const word = wordStart(text, letter, from)
    const place = word === -1 ? text.indexOf(letter, from) : word
    if (place === -1) return undefined
    score += place === from ? 3 : startsWord(text, place) ? 2 : 0
    at.push(place)
  }
  return { score, at }
}

/** The matching items, best first; ties keep their order. */
export function fuzzyFilter<T>(typed: string, items: readonly T[], labelOf: (item: T) => string) {
  const found = items.flatMap((item) => {
    const match = fuzzyMatch(typed, labelOf(item))
    return match ? [{ item, ...match }] : []
  })
  return found.toSorted((one, other) => other.score - one.score)
}

const startsWord = (text: string, at: number): boolean => at === 0 || !/[a-z0-9]/.test(text.charAt(at - 1))

/**
 * The next word start with this letter, if the rest of the text could still match. The search is greedy, so it looks
 * only nearby.
 */
function wordStart(text: string, letter: string, from: number): number {
  for (let at = text.indexOf(letter, from); at !== -1; at = text.indexOf(letter, at + 1)) {
    if (at === from || startsWord(text, at)) return at
  }
  return -1
}
