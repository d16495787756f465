import { createFileRoute } from '@tanstack/react-router'
import { vpcPaths } from '../../../../../../features/networking/vpcs/paths.ts'
import { vpcView } from '../../../../../../features/networking/vpcs/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc')({
  loader: ({ context, params }) => context.prefetch(vpcView(params.project, params.vpc)),
  staticData: {
    crumb: ({ project = '', vpc = '' }) => [
      { label: 'VPCs', path: vpcPaths.list(project) },
      { label: vpc, path: vpcPaths.firewallRules(project, vpc) },
    ],
  },
})
