import { createFileRoute } from '@tanstack/react-router'
import { GroupPanel } from '#/features/people/GroupPanel.tsx'
import { groupRoles, groupView } from '#/features/people/queries.ts'

export const Route = createFileRoute('/_console/_silo/_people/_groups/users/groups/$group')({
  loader: ({ context, params }) => context.prefetch(groupView(params.group), groupRoles(params.group)),
  staticData: { title: 'View group' },
  component: () => <GroupPanel id={Route.useParams().group} />,
})
