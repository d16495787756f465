import { createFileRoute, redirect } from '@tanstack/react-router'
import { projectImageLink } from '#/features/images/links.ts'

// Where images had a panel before they had a page.
export const Route = createFileRoute('/_console/projects/$project/images/$image/edit')({
  beforeLoad: ({ params: { project, image } }) => {
    throw redirect({ ...projectImageLink(project, image), replace: true })
  },
})
