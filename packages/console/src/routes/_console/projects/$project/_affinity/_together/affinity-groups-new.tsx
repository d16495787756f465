import { createFileRoute } from '@tanstack/react-router'
import { NewGroupForm } from '#/features/affinity/NewGroupForm.tsx'

export const Route = createFileRoute('/_console/projects/$project/_affinity/_together/affinity-groups-new')({
  staticData: { title: 'New affinity group' },
  component: () => <NewGroupForm {...Route.useParams()} family="affinity" />,
})
