import { createFileRoute } from '@tanstack/react-router'
import { NewGroupForm } from '#/features/affinity/NewGroupForm.tsx'

export const Route = createFileRoute('/_console/projects/$project/_affinity/_apart/affinity-new')({
  staticData: { title: 'New anti-affinity group' },
  component: () => <NewGroupForm {...Route.useParams()} family="anti-affinity" />,
})
