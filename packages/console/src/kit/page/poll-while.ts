const fastMs = 3000
const slowMs = 60_000

/**
 * The poll interval in milliseconds, on servers without the change stream: short while an object is in a transitional
 * state.
 */
export const pollWhile =
  <Item>(isTransitional: (row: Item) => boolean) =>
  (rows: readonly Item[]): number =>
    rows.some(isTransitional) ? fastMs : slowMs

/** For lists without transitional states. */
export const pollSlowly = (): number => slowMs
