import type { LinkTarget } from '#/kit/links/link-target.ts'

type VpcTab = 'firewall-rules' | 'subnets' | 'routers' | 'internet-gateways' | 'map' | 'activity'

export const vpcLink = (project: string, vpc: string, tab: VpcTab = 'firewall-rules') =>
  ({ to: `/projects/$project/vpcs/$vpc/${tab}` as const, params: { project, vpc } }) satisfies LinkTarget

/** A rule, with a change already entered in its form. */
export const firewallRuleLink = (project: string, vpc: string, rule: string, change?: string) =>
  ({
    to: '/projects/$project/vpcs/$vpc/firewall-rules/$rule/edit/{-$change}',
    params: { project, vpc, rule, ...(change !== undefined && { change }) },
  }) satisfies LinkTarget

export const subnetLink = (project: string, vpc: string, subnet: string) =>
  ({
    to: '/projects/$project/vpcs/$vpc/subnets/$subnet/edit',
    params: { project, vpc, subnet },
  }) satisfies LinkTarget

/** The page of a router; its first tab, the routes, needs no query. */
export const routerLink = (project: string, vpc: string, router: string, tab?: 'activity') =>
  ({
    to: '/projects/$project/vpcs/$vpc/routers/$router',
    params: { project, vpc, router },
    ...(tab && { search: { tab } }),
  }) satisfies LinkTarget

export const gatewayLink = (project: string, vpc: string, gateway: string) =>
  ({
    to: '/projects/$project/vpcs/$vpc/internet-gateways/$gateway',
    params: { project, vpc, gateway },
  }) satisfies LinkTarget

/** A blank rule, or a duplicate of another. */
export const newFirewallRuleLink = (project: string, vpc: string, copied?: string) =>
  ({
    to: '/projects/$project/vpcs/$vpc/firewall-rules-new/{-$rule}',
    params: { project, vpc, ...(copied !== undefined && { rule: copied }) },
  }) satisfies LinkTarget
