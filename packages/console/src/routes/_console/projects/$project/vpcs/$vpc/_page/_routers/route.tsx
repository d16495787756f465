import { createFileRoute, Outlet } from '@tanstack/react-router'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_routers')({
  staticData: {
    crumb: ({ project = '', vpc = '' }) => ({
      label: 'Routers',
      path: vpcPaths.routers(project, vpc),
    }),
  },
  component: Outlet,
})
