import { createFileRoute } from '@tanstack/react-router'
import { EditGroupForm } from '#/features/affinity/EditGroupForm.tsx'

export const Route = createFileRoute('/_console/projects/$project/affinity/$group/edit')({
  staticData: { title: 'Edit anti-affinity group' },
  component: () => <EditGroupForm {...Route.useParams()} family="anti-affinity" />,
})
