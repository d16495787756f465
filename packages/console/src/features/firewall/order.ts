import { firewallLimits } from '@gantry/api/network/vpc-firewall.rules'
import type { Rule } from './rule.ts'

/** A rule in a new order: its position determines its priority. */
export interface Placed {
  name: string
  priority: number
  /** The stored priority. */
  was: number
  /** The server's position, which breaks ties between equal priorities. */
  rank: number
}

export const placed = (rules: readonly Pick<Rule, 'name' | 'priority'>[]): Placed[] =>
  rules
    .map(({ name, priority }, rank) => ({ name, priority, was: priority, rank }))
    .sort((one, other) => (comesBefore(one, other) ? -1 : 1))

const comesBefore = (one: Placed, other: Placed): boolean =>
  one.priority < other.priority || (one.priority === other.priority && one.rank < other.rank)

/** Moves a rule. It gets a priority between its neighbours; other priorities change only to make room. */
export const moved = (order: readonly Placed[], from: number, to: number): Placed[] =>
  restored(moveTo(order, from, to))

/** Resets rules that were moved or made room earlier to their stored priority, where that gives the same order. */
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

/** One always precedes the other by priority, or both have kept a tie, which must not change. */
const isApart = (one: Placed, other: Placed): boolean =>
  one.priority < other.priority ||
  (one.priority === one.was && other.priority === other.was && comesBefore(one, other))

function moveTo(order: readonly Placed[], from: number, to: number): Placed[] {
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

/** The variant that changes fewer priorities. One of the two always has room for the maximum number of rules. */
function fewest(order: readonly Placed[], ...ways: (Placed[] | undefined)[]): Placed[] {
  const now = new Map(order.map(({ name, priority }) => [name, priority]))
  const cost = (way: readonly Placed[]) =>
    way.filter(({ name, priority }) => now.get(name) !== priority).length
  const possible = ways.filter((way) => way !== undefined).sort((one, other) => cost(one) - cost(other))
  return possible[0] ?? [...order]
}

/** Places the rule right after those above it. Those below make room and keep their ties. */
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

/** Shifts as many rules as block a priority, nearest first, by as little as possible. */
function makeRoom(row: readonly Placed[], taken: number, step: 1 | -1): Placed[] {
  let last = { old: taken, now: taken }
  let isLevel = false
  return row.map((each) => {
    const isBlocking = (each.priority - last.now) * step <= 0
    const isLevelWithLast = isLevel && each.priority === last.old
    isLevel = true
    const now = isLevelWithLast ? last.now : isBlocking ? last.now + step : each.priority
    last = { old: each.priority, now }
    return now === each.priority ? each : { ...each, priority: now }
  })
}

const isWithin = (rules: readonly Placed[]): boolean =>
  rules.every(({ priority }) => priority >= 0 && priority <= firewallLimits.priority)

/** The number between low and high with the most trailing zeros, nearest to the middle: easy to read and to say. */
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
