import { createFileRoute, redirect } from '@tanstack/react-router'
import { projectPaths } from '../../../../features/projects/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/')({
  beforeLoad: ({ params }) => {
    throw redirect({ href: projectPaths.instances(params.project), replace: true })
  },
})
