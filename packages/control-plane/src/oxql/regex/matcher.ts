import { OxqlError } from '../oxql-error.ts'
import { type Automaton, type State, automatonOf } from './automaton.ts'
import { word } from './characters.ts'
import { parsePattern } from './parse-pattern.ts'
import { type Assertion, PatternProblem } from './pattern.ts'

/** State transitions over all texts of a query: a fraction of a second. */
const maxSteps = 5_000_000
/** Remembered answers: the same few texts come up for many timeseries and points. */
const maxRemembered = 10_000

/**
 * Whether a text contains a match of the pattern. Patterns come from users, so that the platform's engine,
 * which backtracks, must not see them: all states of an automaton are followed at once, which costs at most
 * the number of states for each character.
 */
export function matcher(source: string): (text: string) => boolean {
  const run = new Run(compile(source))
  const remembered = new Map<string, boolean>()
  return (text) => {
    const known = remembered.get(text)
    if (known !== undefined) return known
    const found = run.accepts(text)
    if (run.steps > maxSteps)
      throw new OxqlError(
        `The regular expression "${source}" takes too long to evaluate`,
        undefined,
        'Use a simpler expression, or filter on other fields too.',
      )
    if (remembered.size < maxRemembered) remembered.set(text, found)
    return found
  }
}

function compile(source: string): Automaton {
  try {
    return automatonOf(parsePattern(source))
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error
    throw new OxqlError(`The regular expression "${source}" is not valid: ${error.message}`)
  }
}

/** Follows an automaton through one text after the other, in the same memory. */
class Run {
  steps = 0
  /** The turn in which a state was last entered: each is entered once in each. */
  private readonly entered: Int32Array
  private turn = 0
  private waiting: (State & { kind: 'character' })[] = []
  private reached: number[] = []
  private readonly isAnchored: boolean

  constructor(private readonly automaton: Automaton) {
    this.entered = new Int32Array(automaton.states.length)
    this.isAnchored = beginsOnlyAtStart(automaton)
  }

  accepts(text: string): boolean {
    this.waiting = []
    let before: number | undefined
    for (let at = 0; ;) {
      const after = text.codePointAt(at)
      // A match may begin anywhere.
      if (at === 0 || !this.isAnchored) this.reached.push(this.automaton.start)
      else if (this.reached.length === 0) return false
      if (this.enter(before, after)) {
        this.reached = []
        return true
      }
      if (after === undefined || this.steps > maxSteps) return false
      for (const state of this.waiting) if (state.accepts(after)) this.reached.push(state.next)
      this.steps += this.waiting.length + 1
      this.waiting = []
      before = after
      at += after > 0xffff ? 2 : 1
    }
  }

  /** Follows everything that consumes no character; true when the end is among it. */
  private enter(before: number | undefined, after: number | undefined): boolean {
    const { reached, entered } = this
    this.turn++
    for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
      if (entered[index] === this.turn) continue
      entered[index] = this.turn
      this.steps++
      const state = this.automaton.states[index]
      if (!state || state.kind === 'accept') return true
      if (state.kind === 'character') this.waiting.push(state)
      else if (state.kind === 'fork') reached.push(...state.to)
      else if (holds(state.assertion, before, after)) reached.push(state.next)
    }
    return false
  }
}

/** Whether every way into the automaton passes the start of the text. */
function beginsOnlyAtStart({ states, start }: Automaton): boolean {
  const open = [start]
  const seen = new Set<number>()
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (seen.has(index)) continue
    seen.add(index)
    const state = states[index]
    if (state?.kind === 'fork') open.push(...state.to)
    else if (state?.kind !== 'assertion' || state.assertion !== 'text-start') return false
  }
  return true
}

const newline = 0x0a

function holds(assertion: Assertion, before: number | undefined, after: number | undefined): boolean {
  const isEdge = (before !== undefined && word(before)) !== (after !== undefined && word(after))
  switch (assertion) {
    case 'text-start':
      return before === undefined
    case 'text-end':
      return after === undefined
    case 'line-start':
      return before === undefined || before === newline
    case 'line-end':
      return after === undefined || after === newline
    case 'word-edge':
      return isEdge
    case 'no-word-edge':
      return !isEdge
  }
}
