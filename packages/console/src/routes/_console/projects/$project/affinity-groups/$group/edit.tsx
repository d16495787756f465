import { createFileRoute } from '@tanstack/react-router'
import { groupView } from '#/features/affinity/queries.ts'
import { EditGroupForm } from '#/features/affinity/EditGroupForm.tsx'

export const Route = createFileRoute('/_console/projects/$project/affinity-groups/$group/edit')({
  loader: ({ context, params: { project, group } }) => context.renew(groupView('affinity', project, group)),
  staticData: { title: 'Edit affinity group' },
  component: () => <EditGroupForm {...Route.useParams()} family="affinity" />,
})
