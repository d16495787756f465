import { createFileRoute, Outlet } from '@tanstack/react-router'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways')({
  staticData: {
    crumb: ({ project = '', vpc = '' }) => ({
      label: 'Internet Gateways',
      path: vpcPaths.gateways(project, vpc),
    }),
  },
  component: Outlet,
})
