import { createFileRoute } from '@tanstack/react-router'
import { EditGroupForm } from '#/features/affinity/EditGroupForm.tsx'

export const Route = createFileRoute('/_console/projects/$project/affinity-groups/$group/edit')({
  staticData: { title: 'Edit affinity group' },
  component: () => <EditGroupForm {...Route.useParams()} family="affinity" />,
})
