import { seeded } from '@gantry/control-plane/testing/seeded'

/** All randomness, from one seed. */
export class Chance {
  readonly below: (limit: number) => number
  constructor(seed: number) {
    this.below = seeded(seed)
  }

  between = (min: number, max: number): number => min + this.below(max - min + 1)

  odds = (percent: number): boolean => this.below(100) < percent

  pick = <Item>(items: readonly Item[]): Item => {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('nothing to choose from')
    return item
  }

  /** Letters and digits that occur nowhere else. */
  word = (length = 10): string => {
    const letters = 'bcdfghjklmnpqrstvwxz0123456789'
    return Array.from({ length }, () => letters.charAt(this.below(letters.length))).join('')
  }
}
