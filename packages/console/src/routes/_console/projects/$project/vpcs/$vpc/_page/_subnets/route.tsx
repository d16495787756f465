import { createFileRoute, Outlet } from '@tanstack/react-router'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_subnets')({
  staticData: {
    crumb: ({ project = '', vpc = '' }) => ({
      label: 'Subnets',
      path: vpcPaths.subnets(project, vpc),
    }),
  },
  component: Outlet,
})
