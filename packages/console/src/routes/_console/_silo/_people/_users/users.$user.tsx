import { createFileRoute } from '@tanstack/react-router'
import { UserPanel } from '../../../../../features/people/UserPanel.tsx'
import { peoplePaths, userRoles, userView } from '../../../../../features/people/queries.ts'

export const Route = createFileRoute('/_console/_silo/_people/_users/users/$user')({
  loader: ({ context, params }) => context.prefetch(userView(params.user), userRoles(params.user)),
  staticData: {
    crumb: ({ user = '' }) => ({ label: 'View user', path: peoplePaths.user(user), titleOnly: true }),
  },
  component: () => <UserPanel id={Route.useParams().user} />,
})
