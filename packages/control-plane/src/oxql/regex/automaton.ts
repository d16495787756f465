import { type Assertion, type CharacterTest, type Pattern, PatternProblem } from './pattern.ts'

export type State =
  | { kind: 'character'; accepts: CharacterTest; next: number }
  | { kind: 'assertion'; assertion: Assertion; next: number }
  | { kind: 'fork'; to: number[] }
  | { kind: 'accept' }

/** Bounds the automaton, and with it the cost of each character of a text. */
const maxParts = 2000

export interface Automaton {
  states: readonly State[]
  start: number
}

/** A nondeterministic automaton: each part is built towards the state that follows it. */
export function automatonOf(pattern: Pattern): Automaton {
  const states: State[] = [{ kind: 'accept' }]
  let parts = 0

  const add = (state: State): number => states.push(state) - 1

  function build(part: Pattern, next: number): number {
    // Parts and not states are counted, because a repetition of nothing has no states.
    if (++parts > maxParts) throw new PatternProblem('it is too large')
    switch (part.kind) {
      case 'empty':
        return next
      case 'character':
        return add({ kind: 'character', accepts: part.accepts, next })
      case 'assertion':
        return add({ kind: 'assertion', assertion: part.assertion, next })
      case 'sequence':
        return part.of.reduceRight((following, one) => build(one, following), next)
      case 'choice':
        return add({ kind: 'fork', to: part.of.map((one) => build(one, next)) })
      case 'repetition':
        return repetition(part, next)
    }
  }

  function repetition({ of, min, max }: Pattern & { kind: 'repetition' }, next: number): number {
    let start = next
    if (max === Infinity) {
      const to = [next]
      start = add({ kind: 'fork', to })
      to.push(build(of, start))
    } else
      for (let count = min; count < max; count++) start = add({ kind: 'fork', to: [next, build(of, start)] })
    for (let count = 0; count < min; count++) start = build(of, start)
    return start
  }

  return { start: build(pattern, 0), states }
}
