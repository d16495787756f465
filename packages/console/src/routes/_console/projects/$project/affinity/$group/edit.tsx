import { createFileRoute } from '@tanstack/react-router'
import { groupView } from '#/features/affinity/queries.ts'
import { EditGroupForm } from '#/features/affinity/EditGroupForm.tsx'

export const Route = createFileRoute('/_console/projects/$project/affinity/$group/edit')({
  loader: ({ context, params: { project, group } }) =>
    context.renew(groupView('anti-affinity', project, group)),
  staticData: { title: 'Edit anti-affinity group' },
  component: () => <EditGroupForm {...Route.useParams()} family="anti-affinity" />,
})
