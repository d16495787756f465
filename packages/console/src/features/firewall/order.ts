import { firewallLimits } from '@gantry/api/vpc-firewall.rules'
import type { Rule } from './rule.ts'

/** A rule in an order that is being made: where it is decides what its priority has to be. */
export interface Placed {
  name: string
  priority: number
  /** As it is stored. */
  was: number
  /** Where the server has it, which decides between rules of the same priority. */
  rank: number
}

export const placed = (rules: readonly Pick<Rule, 'name' | 'priority'>[]): Placed[] =>
  rules
    .map(({ name, priority }, rank) => ({ name, priority, was: priority, rank }))
    .sort((one, other) => (comesBefore(one, other) ? -1 : 1))

const comesBefore = (one: Placed, other: Placed): boolean =>
  one.priority < other.priority || (one.priority === other.priority && one.rank < other.rank)

/** Takes a rule to another place. It gets a priority between its neighbours; others only where there is no room. */
export const moved = (order: readonly Placed[], from: number, to: number): Placed[] =>
  restored(put(order, from, to))

/** What had to make room earlier, or was moved itself, is as it is stored again where that makes the same order. */
function restored(order: readonly Placed[]): Placed[] {
  const rules = [...order]
  const restore = (rule: Placed, index: number): void => {
    const stored = { ...rule, priority: rule.was }
    const [before, after] = [rules[index - 1], rules[index + 1]]
    const fits = (!before || isApart(before, stored)) && (!after || isApart(stored, after))
    if (fits && rule.priority !== rule.was) rules[index] = stored
  }
  rules.forEach(restore)
  for (const [index, rule] of [...rules.entries()].reverse()) restore(rule, index)
  return rules
}

/** One decides before the other whatever they do; or they are level as they have been, which is not to be changed. */
const isApart = (one: Placed, other: Placed): boolean =>
  one.priority < other.priority ||
  (one.priority === one.was && other.priority === other.was && comesBefore(one, other))

function put(order: readonly Placed[], from: number, to: number): Placed[] {
  const rule = order[from]
  if (!rule || from === to) return [...order]
  const others = order.filter((_, index) => index !== from)
  const above = others.slice(0, to)
  const below = others.slice(to)
  const [before, after] = [above.at(-1), below[0]]
  const priority = roundest(
    (before?.priority ?? -1) + 1,
    (after?.priority ?? firewallLimits.priority + 1) - 1,
  )
  if (priority !== undefined) return [...above, { ...rule, priority }, ...below]
  return fewest(order, pushedDown(above, rule, below), pushedUp(above, rule, below))
}

/** The way that leaves more priorities as they are; one of the two always has room for as many rules as there can be. */
function fewest(order: readonly Placed[], ...ways: (Placed[] | undefined)[]): Placed[] {
  const now = new Map(order.map(({ name, priority }) => [name, priority]))
  const cost = (way: readonly Placed[]) =>
    way.filter(({ name, priority }) => now.get(name) !== priority).length
  const possible = ways.filter((way) => way !== undefined).sort((one, other) => cost(one) - cost(other))
  return possible[0] ?? [...order]
}

/** The rule right after those above it; those below make room, and stay level with each other where they were. */
function pushedDown(above: readonly Placed[], rule: Placed, below: readonly Placed[]): Placed[] | undefined {
  const first = { ...rule, priority: (above.at(-1)?.priority ?? -1) + 1 }
  const rest = makeRoom(below, first.priority, 1)
  return isWithin([first, ...rest]) ? [...above, first, ...rest] : undefined
}

function pushedUp(above: readonly Placed[], rule: Placed, below: readonly Placed[]): Placed[] | undefined {
  const last = { ...rule, priority: (below[0]?.priority ?? firewallLimits.priority + 1) - 1 }
  const rest = makeRoom([...above].reverse(), last.priority, -1).reverse()
  return isWithin([last, ...rest]) ? [...rest, last, ...below] : undefined
}

/** Moves as many of a row as stand in the way of a priority, nearest first, by as little as it takes. */
function makeRoom(row: readonly Placed[], taken: number, step: 1 | -1): Placed[] {
  let last = { old: taken, now: taken }
  let isLevel = false
  return row.map((each) => {
    const isInTheWay = (each.priority - last.now) * step <= 0
    const isLevelWithLast = isLevel && each.priority === last.old
    isLevel = true
    const now = isLevelWithLast ? last.now : isInTheWay ? last.now + step : each.priority
    last = { old: each.priority, now }
    return now === each.priority ? each : { ...each, priority: now }
  })
}

const isWithin = (rules: readonly Placed[]): boolean =>
  rules.every(({ priority }) => priority >= 0 && priority <= firewallLimits.priority)

/** Of the numbers from low to high the one with most zeros, the nearest to the middle of those: easy to say and to see. */
export function roundest(low: number, high: number): number | undefined {
  if (low > high) return undefined
  const middle = (low + high) / 2
  for (let unit = 10_000; unit >= 1; unit /= 10) {
    const near = [Math.floor(middle / unit) * unit, Math.ceil(middle / unit) * unit]
      .filter((number) => number > 0 && number >= low && number <= high)
      .sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))
    if (near[0] !== undefined) return near[0]
  }
  return low
}
