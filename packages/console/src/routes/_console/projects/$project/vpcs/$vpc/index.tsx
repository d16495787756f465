import { createFileRoute, redirect } from '@tanstack/react-router'
import { vpcPaths } from '../../../../../../features/networking/vpcs/paths.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/')({
  beforeLoad: ({ params }) => {
    throw redirect({ href: vpcPaths.firewallRules(params.project, params.vpc), replace: true })
  },
})
