import { type Host, type Rule, ruleOf } from './rule.ts'
import { hostText, hostWords } from './words.ts'

const enable = 'enable'

/** A change as a segment of a path: `enable`, or the host filter to add, `ip:203.0.113.9`. */
export const changeParam = (host: Host | null): string => (host ? `${host.type}:${host.value}` : enable)

/**
 * The rule with the change of a link, and the sentence that says so; undefined if the link names none that would change
 * anything. The form validates the value like one that was typed.
 */
export function changedRule(rule: Rule, change: string): { rule: Rule; text: string } | undefined {
  const own = ruleOf(rule)
  if (change === enable)
    return rule.status === 'enabled'
      ? undefined
      : { rule: { ...own, status: 'enabled' }, text: 'The rule is enabled below.' }
  const host = hostIn(change)
  const hosts = rule.filters.hosts ?? []
  // Without host filters it matches every host, and one would narrow it.
  if (
    !host ||
    hosts.length === 0 ||
    hosts.some(({ type, value }) => type === host.type && value === host.value)
  )
    return undefined
  return {
    rule: { ...own, filters: { ...rule.filters, hosts: [...hosts, host] } },
    text: `${hostText(host)} is added to the host filters below.`,
  }
}

function hostIn(change: string): Host | undefined {
  const [, type = '', value = ''] = /^([a-z_]+):(.+)$/.exec(change) ?? []
  return Object.hasOwn(hostWords, type) ? { type: type as Host['type'], value } : undefined
}
