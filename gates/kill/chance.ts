export type Chance = () => number

/** The same random sequence in every run, to make failures reproducible. */
export function seeded(seed: number): Chance {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export const oneOf = <Item>(chance: Chance, items: readonly Item[]): Item | undefined =>
  items[Math.floor(chance() * items.length)]

/** A random entry, weighted. */
export function weightedPick<Item extends { weight: number }>(chance: Chance, items: readonly Item[]): Item {
  let left = chance() * items.reduce((sum, { weight }) => sum + weight, 0)
  const found = items.find(({ weight }) => (left -= weight) < 0) ?? items.at(-1)
  if (!found) throw new Error('nothing to choose from')
  return found
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
