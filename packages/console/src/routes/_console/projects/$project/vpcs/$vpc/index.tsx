import { createFileRoute, redirect } from '@tanstack/react-router'
import { vpcLink } from '#/features/vpcs/links.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/')({
  beforeLoad: ({ params }) => {
    throw redirect({ ...vpcLink(params.project, params.vpc), replace: true })
  },
})
