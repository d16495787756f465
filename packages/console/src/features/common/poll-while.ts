const soonMs = 3000
const laterMs = 60_000

/**
 * The poll interval in milliseconds, on servers without the change stream: short while an object is in a transitional
 * state.
 */
export const pollWhile =
  <Item>(isMoving: (row: Item) => boolean) =>
  (rows: readonly Item[]): number =>
    rows.some(isMoving) ? soonMs : laterMs

/** For lists without transitional states. */
export const pollLater = (): number => laterMs
