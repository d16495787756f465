import { createFileRoute, redirect } from '@tanstack/react-router'
import { instancePaths } from '../../../../../../features/instances/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/')({
  beforeLoad: ({ params }) => {
    throw redirect({ href: instancePaths.storage(params.project, params.instance), replace: true })
  },
})
