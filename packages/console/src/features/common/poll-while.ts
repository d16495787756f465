const soonMs = 3000
const laterMs = 60_000

/** Milliseconds to the next look at a list, on servers that do not tell of changes: soon while something moves. */
export const pollWhile =
  <Item>(isMoving: (row: Item) => boolean) =>
  (rows: readonly Item[]): number =>
    rows.some(isMoving) ? soonMs : laterMs

/** The same for lists in which nothing passes by itself. */
export const pollLater = (): number => laterMs
