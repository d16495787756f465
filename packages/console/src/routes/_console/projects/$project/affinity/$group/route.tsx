import { createFileRoute, Outlet } from '@tanstack/react-router'
import { GroupPage } from '#/features/affinity/GroupPage.tsx'
import { groupMembers, groupView } from '#/features/affinity/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/affinity/$group')({
  loader: ({ context, params: { project, group } }) =>
    context.prefetch(
      groupView('anti-affinity', project, group),
      groupMembers('anti-affinity', project, group),
    ),
  staticData: {
    crumb: [
      { label: 'Affinity Groups', to: '/projects/$project/affinity' },
      { param: 'group', to: '/projects/$project/affinity/$group' },
    ],
  },
  component: Group,
})

function Group() {
  return (
    <>
      <GroupPage {...Route.useParams()} family="anti-affinity" />
      <Outlet />
    </>
  )
}
