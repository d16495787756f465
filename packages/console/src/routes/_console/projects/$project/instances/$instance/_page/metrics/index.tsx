import { createFileRoute, redirect } from '@tanstack/react-router'
import { instanceLink } from '#/features/instances/links.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/metrics/')({
  beforeLoad: ({ params }) => {
    throw redirect({ ...instanceLink(params.project, params.instance, 'metrics/cpu'), replace: true })
  },
})
