import { createFileRoute } from '@tanstack/react-router'
import { userRoles, userView } from '#/features/people/queries.ts'
import { UserPanel } from '#/features/people/UserPanel.tsx'

export const Route = createFileRoute('/_console/_silo/_people/_users/users/$user')({
  loader: ({ context, params }) => context.prefetch(userView(params.user), userRoles(params.user)),
  staticData: { title: 'View user' },
  component: () => <UserPanel id={Route.useParams().user} />,
})
