import { readIcmpCodes } from '../rack-network/icmp.rules.ts'
import { isReversed, type NumberRange, reversedReason } from '../base/number-range.rules.ts'
import { readPortRange } from '../base/port-range.rules.ts'

export const firewallLimits = { rules: 1024, targets: 256, filters: 256, priority: 65_535 } as const

interface Rule {
  name: string
  targets: readonly unknown[]
  filters: {
    hosts?: readonly unknown[] | null | undefined
    ports?: readonly string[] | null | undefined
    protocols?: readonly Protocol[] | null | undefined
  }
}
type Protocol =
  | { type: 'tcp' | 'udp' }
  | { type: 'icmp' | 'icmp6'; value: { code?: string | null | undefined } | null }

/** The problem with a list of rules as a whole, in the API's words and order (B 12). */
export function firewallRulesProblem(rules: readonly Rule[]): { label: string; reason: string } | undefined {
  const seen = new Set<string>()
  const duplicates = new Set<string>()
  for (const { name } of rules) (seen.has(name) ? duplicates : seen).add(name)
  if (duplicates.size > 0)
    return {
      label: 'rules',
      reason: `Rule names must be unique. Duplicates: [${[...duplicates].map((name) => `"${name}"`).join(', ')}]`,
    }
  return tooMany('rules', rules, firewallLimits.rules) ?? first(rules, tooMuchIn) ?? first(rules, reversedIn)
}

/** A form's message for a priority. */
export function firewallPriorityProblem(priority: number | null): string | undefined {
  if (priority === null) return 'Priority is required'
  return Number.isInteger(priority) && priority >= 0 && priority <= firewallLimits.priority
    ? undefined
    : `Priority must be between 0 and ${firewallLimits.priority}`
}

/** Why a VPC can have no more rules. */
export const whyNoMoreRules = (rules: readonly unknown[]): string | undefined =>
  rules.length >= firewallLimits.rules
    ? `A VPC has at most ${firewallLimits.rules} firewall rules`
    : undefined

/** Why a rule can have no more targets, or no more filters of a kind. */
export function whyNoMoreIn(list: readonly unknown[], kind: 'targets' | 'filters', words: string) {
  return list.length >= firewallLimits[kind]
    ? `A rule has at most ${firewallLimits[kind]} ${words}`
    : undefined
}

const tooMany = (label: string, list: readonly unknown[] | null | undefined, max: number) =>
  list && list.length > max ? { label, reason: `max length ${max}` } : undefined

const tooMuchIn = ({ targets, filters }: Rule) =>
  tooMany('targets', targets, firewallLimits.targets) ??
  tooMany('filters.hosts', filters.hosts, firewallLimits.filters) ??
  tooMany('filters.ports', filters.ports, firewallLimits.filters) ??
  tooMany('filters.protocols', filters.protocols, firewallLimits.filters)

function reversedIn({ filters }: Rule) {
  const reversed = (range: NumberRange | undefined): boolean => range !== undefined && isReversed(range)
  if (filters.ports?.some((text) => reversed(readPortRange(text))))
    return { label: 'l4_port_range', reason: reversedReason }
  const codes = filters.protocols?.flatMap((one) => ('value' in one && one.value?.code) || [])
  return codes?.some((text) => reversed(readIcmpCodes(text)))
    ? { label: 'code', reason: reversedReason }
    : undefined
}

function first<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found) return found
  }
  return undefined
}
