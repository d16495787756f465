export interface FuzzyMatch {
  score: number
  /** Places in the label that matched, for marking them. */
  at: number[]
}

/**
 * Whether the letters of `typed` occur in `label` in order, white space and case aside. Higher scores for runs
 * and for letters that start a word; undefined where there is no match.
 */
export function fuzzyMatch(typed: string, label: string): FuzzyMatch | undefined {
  const wanted = typed.toLowerCase().replace(/\s+/g, '')
  const text = label.toLowerCase()
  // One unbroken run reads best, so it is looked for first.
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

/** Those that match, best first; equals keep their order. */
export function fuzzyFilter<T>(typed: string, items: readonly T[], labelOf: (item: T) => string) {
  const found = items.flatMap((item) => {
    const match = fuzzyMatch(typed, labelOf(item))
    return match ? [{ item, ...match }] : []
  })
  return found.toSorted((one, other) => other.score - one.score)
}

const startsWord = (text: string, at: number): boolean => at === 0 || !/[a-z0-9]/.test(text.charAt(at - 1))

/** The next start of a word with this letter, if the rest of a match could still follow; greedy, so only nearby. */
function wordStart(text: string, letter: string, from: number): number {
  for (let at = text.indexOf(letter, from); at !== -1; at = text.indexOf(letter, at + 1)) {
    if (at === from || startsWord(text, at)) return at
  }
  return -1
}
