import { createFileRoute, redirect } from '@tanstack/react-router'
import { instanceLink } from '#/features/instances/links.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/')({
  beforeLoad: ({ params }) => {
    throw redirect({ ...instanceLink(params.project, params.instance), replace: true })
  },
})
