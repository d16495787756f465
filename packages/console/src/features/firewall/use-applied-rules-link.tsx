import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { vpcById } from '#/features/vpcs/queries.ts'
import { vpcLink } from '#/features/vpcs/links.ts'
import { effectiveRules } from './queries.ts'

/**
 * How many firewall rules cover an instance, with a link to them. Undefined if the server cannot evaluate rules, or
 * the instance is in no VPC.
 */
export function useAppliedRulesLink(
  project: string,
  instance: string,
  vpcId: string | undefined,
): ReactNode | undefined {
  const { data: rules } = useQuery({
    ...effectiveRules(project, instance),
    enabled: vpcId !== undefined && !isAbsent(op.instanceFirewallRuleList),
  })
  const { data: vpc } = useQuery({ ...vpcById(vpcId ?? ''), enabled: vpcId !== undefined })
  if (!rules || !vpc) return undefined
  const count = rules.items.length
  return (
    <PageLink {...vpcLink(project, vpc.name)} search={{ instance }} className="link">
      {count === 0
        ? 'No firewall rule applies'
        : `${formatCount(count, 'firewall rule')} ${count === 1 ? 'applies' : 'apply'}`}{' '}
      to this instance
    </PageLink>
  )
}
