/** Rows of a statement. Building a statement blocks the thread: a thousand rows of a wide table took 60 ms. */
const rowsAtOnce = 100

/** What statements of many rows are divided into. */
export function portions<Item>(items: readonly Item[]): (readonly Item[])[] {
  const count = Math.ceil(items.length / rowsAtOnce)
  return Array.from({ length: count }, (_, at) => items.slice(at * rowsAtOnce, (at + 1) * rowsAtOnce))
}
