/** A regular expression as a tree. Only what is regular: no back references, no look-around. */
export type Pattern =
  | { kind: 'empty' }
  | { kind: 'character'; accepts: CharacterTest }
  | { kind: 'assertion'; assertion: Assertion }
  | { kind: 'sequence' | 'choice'; of: readonly Pattern[] }
  | { kind: 'repetition'; of: Pattern; min: number; max: number }

/** Decides by code point. */
export type CharacterTest = (code: number) => boolean

export type Assertion = 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word-edge' | 'no-word-edge'

export class PatternProblem extends Error {}
