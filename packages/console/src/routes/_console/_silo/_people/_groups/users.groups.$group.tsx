import { createFileRoute } from '@tanstack/react-router'
import { GroupPanel } from '../../../../../features/people/GroupPanel.tsx'
import { peoplePaths, groupRoles, groupView } from '../../../../../features/people/queries.ts'

export const Route = createFileRoute('/_console/_silo/_people/_groups/users/groups/$group')({
  loader: ({ context, params }) => context.prefetch(groupView(params.group), groupRoles(params.group)),
  staticData: {
    crumb: ({ group = '' }) => ({ label: 'View group', path: peoplePaths.group(group), titleOnly: true }),
  },
  component: () => <GroupPanel id={Route.useParams().group} />,
})
