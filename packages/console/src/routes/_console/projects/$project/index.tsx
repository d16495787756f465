import { createFileRoute, redirect } from '@tanstack/react-router'
import { projectLink } from '#/features/projects/links.ts'

export const Route = createFileRoute('/_console/projects/$project/')({
  beforeLoad: ({ params }) => {
    throw redirect({ ...projectLink(params.project), replace: true })
  },
})
