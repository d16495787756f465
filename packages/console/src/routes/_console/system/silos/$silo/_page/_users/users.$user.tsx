import { createFileRoute } from '@tanstack/react-router'
import { userRolesIn } from '#/features/silos/people/queries.ts'
import { SiloUserPanel } from '#/features/silos/people/SiloUserPanel.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/_users/users/$user')({
  loader: ({ context, params }) => context.prefetch(userRolesIn(params.silo, params.user)),
  staticData: { title: 'View user' },
  component: Panel,
})

function Panel() {
  const { silo, user } = Route.useParams()
  return <SiloUserPanel silo={silo} id={user} />
}
