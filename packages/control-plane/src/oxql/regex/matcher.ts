import { OxqlError } from '../oxql-error.ts'
import { type Automaton, type State, automatonOf } from './automaton.ts'
import { word } from './characters.ts'
import { parsePattern } from './parse-pattern.ts'
import { type Assertion, PatternProblem } from './pattern.ts'

/** State transitions over all texts of a query: a fraction of a second. */
const maxSteps = 10_000_000
/** Remembered answers: the same few texts come up for many timeseries and points. */
const maxRemembered = 10_000

/**
 * Whether a text contains a match of the pattern. Patterns come from users, so that the platform's engine,
 * which backtracks, must not see them: all states of an automaton are followed at once, which costs at most
 * the number of states for each character.
 */
export function matcher(source: string): (text: string) => boolean {
  const automaton = compile(source)
  const remembered = new Map<string, boolean>()
  let steps = maxSteps
  return (text) => {
    const known = remembered.get(text)
    if (known !== undefined) return known
    const run = new Run(automaton, Array.from(text), steps)
    const found = run.accepts()
    steps = run.steps
    if (steps <= 0)
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

class Run {
  /** The position for which a state was last entered: each is entered once for each. */
  private readonly entered: Int32Array
  private waiting: (State & { kind: 'character' })[] = []
  private readonly codes: readonly number[]

  constructor(
    private readonly automaton: Automaton,
    text: readonly string[],
    public steps: number,
  ) {
    this.entered = new Int32Array(automaton.states.length).fill(-1)
    this.codes = text.map((character) => character.codePointAt(0) ?? 0)
  }

  accepts(): boolean {
    const { codes } = this
    for (let at = 0; at <= codes.length; at++) {
      // Unanchored: a match may begin anywhere.
      const reached = [this.automaton.start]
      const code = codes[at - 1]
      if (code !== undefined)
        for (const state of this.waiting) if (state.accepts(code)) reached.push(state.next)
      this.steps -= this.waiting.length + 1
      this.waiting = []
      if (this.enter(reached, at)) return true
      if (this.steps <= 0) return false
    }
    return false
  }

  /** Follows everything that consumes no character; true when the end is among it. */
  private enter(open: number[], at: number): boolean {
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (this.entered[index] === at) continue
      this.entered[index] = at
      this.steps--
      const state = this.automaton.states[index]
      if (!state || state.kind === 'accept') return true
      if (state.kind === 'character') this.waiting.push(state)
      else if (state.kind === 'fork') open.push(...state.to)
      else if (holds(state.assertion, this.codes[at - 1], this.codes[at])) open.push(state.next)
    }
    return false
  }
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
