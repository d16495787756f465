import { createFileRoute, Outlet } from '@tanstack/react-router'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_firewall-rules')({
  staticData: {
    crumb: ({ project = '', vpc = '' }) => ({
      label: 'Firewall Rules',
      path: vpcPaths.firewallRules(project, vpc),
    }),
  },
  component: Outlet,
})
