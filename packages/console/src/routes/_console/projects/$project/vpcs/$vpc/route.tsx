import { createFileRoute } from '@tanstack/react-router'
import { vpcView } from '#/features/vpcs/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc')({
  loader: ({ context, params }) => context.prefetch(vpcView(params.project, params.vpc)),
  staticData: {
    crumb: [
      { label: 'VPCs', to: '/projects/$project/vpcs' },
      { param: 'vpc', to: '/projects/$project/vpcs/$vpc/firewall-rules' },
    ],
  },
})
