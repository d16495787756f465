import { formatIp } from '@gantry/api/base/ip.rules'
import type { NearMissReason } from '@gantry/api/network/packet.rules'
import type { Breath } from '../../context/pauses.ts'
import type { Party, RuleRow } from './model.ts'
import type { Network } from './network.ts'
import { type Denial, matchedTarget, precedence, prepareRule, type Target } from './rules.ts'

export interface NearMiss {
  rule: RuleRow
  reason: NearMissReason
  /** The host filter that would make the rule match; none for a disabled rule. */
  host: Target | null
}

/** More would be no hint any more. */
const limit = 5

/**
 * The rules that would have allowed a denied packet but for one thing: they are disabled, or their host filters lack
 * its other end. Enabled rules are not prepared again, and others work in between as
 * before the evaluation, so that this costs no more than a check whose rules are all enabled.
 */
export async function nearMisses(
  network: Network,
  rules: readonly RuleRow[],
  vpcName: string,
  denial: Denial,
  breath: Breath,
): Promise<NearMiss[]> {
  const enabled = new Map(network.rules.map((prepared) => [prepared.rule.name, prepared]))
  const found: NearMiss[] = []
  for (const rule of [...rules].sort(precedence)) {
    await breath()
    // A rule behind the one that denied would change nothing.
    if (found.length === limit || rule.name === denial.by?.name) break
    if (rule.action !== 'allow' || rule.direction !== denial.direction) continue
    const isDisabled = rule.status === 'disabled'
    const prepared = enabled.get(rule.name) ?? prepareRule(rule, vpcName)
    if (!prepared.packet(denial.packet) || !matchedTarget(prepared, denial.self)) continue
    if (!isDisabled) found.push({ rule, reason: 'host', host: hostOf(denial.other) })
    else if (prepared.hosts(denial.other)) found.push({ rule, reason: 'disabled', host: null })
  }
  return found
}

/** As narrow as a filter can be. */
function hostOf(party: Party): Target {
  switch (party.kind) {
    case 'interface':
      return { type: 'instance', value: party.interface.instance.name }
    case 'address':
      return { type: 'ip', value: formatIp(party.address) }
    case 'internet':
      return { type: 'ip_net', value: '0.0.0.0/0' }
    default:
      throw new Error(party satisfies never)
  }
}
