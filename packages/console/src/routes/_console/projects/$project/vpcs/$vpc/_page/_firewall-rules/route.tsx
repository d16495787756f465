import { createFileRoute, Outlet } from '@tanstack/react-router'
import { FirewallTab } from '../../../../../../../../features/networking/firewall/FirewallTab.tsx'
import { firewallSearch } from '../../../../../../../../features/networking/firewall/packet/search.ts'
import { firewallRules } from '../../../../../../../../features/networking/firewall/queries.ts'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_firewall-rules')({
  validateSearch: firewallSearch,
  loader: ({ context, params: { project, vpc } }) => context.prefetch(firewallRules(project, vpc)),
  staticData: {
    crumb: ({ project = '', vpc = '' }) => ({
      label: 'Firewall Rules',
      path: vpcPaths.firewallRules(project, vpc),
    }),
  },
  component: FirewallRules,
})

function FirewallRules() {
  return (
    <>
      <FirewallTab {...Route.useParams()} />
      <Outlet />
    </>
  )
}
