import { createFileRoute } from '@tanstack/react-router'
import { needId } from '#/features/common/need-id.ts'
import { userRolesIn } from '#/features/silos/people/queries.ts'
import { SiloUserPanel } from '#/features/silos/people/SiloUserPanel.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/_users/users/$user')({
  loader: ({ context, params: { silo, user } }) => {
    needId(user)
    return context.prefetch(userRolesIn(silo, user))
  },
  staticData: { title: 'View user' },
  component: Panel,
})

function Panel() {
  const { silo, user } = Route.useParams()
  return <SiloUserPanel silo={silo} id={user} />
}
