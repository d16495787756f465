import { createFileRoute, Outlet } from '@tanstack/react-router'
import { FirewallTab } from '#/features/firewall/FirewallTab.tsx'
import { firewallSearch } from '#/features/firewall/packet/search.ts'
import { firewallRules } from '#/features/firewall/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_firewall-rules')({
  validateSearch: firewallSearch,
  loader: ({ context, params: { project, vpc } }) => context.prefetch(firewallRules(project, vpc)),
  staticData: { crumb: { label: 'Firewall Rules', to: '/projects/$project/vpcs/$vpc/firewall-rules' } },
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
