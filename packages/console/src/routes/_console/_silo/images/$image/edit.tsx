import { createFileRoute, redirect } from '@tanstack/react-router'
import { siloImageLink } from '#/features/images/links.ts'

// Where images had a panel before they had a page.
export const Route = createFileRoute('/_console/_silo/images/$image/edit')({
  beforeLoad: ({ params }) => {
    throw redirect({ ...siloImageLink(params.image), replace: true })
  },
})
