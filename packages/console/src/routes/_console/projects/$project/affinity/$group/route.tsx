import { createFileRoute, Outlet } from '@tanstack/react-router'
import { withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { GroupPage } from '#/features/affinity/GroupPage.tsx'
import { groupMembers, groupView } from '#/features/affinity/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/affinity/$group')({
  validateSearch: withActivitySearch,
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
      <GroupPage {...Route.useParams()} asked={Route.useSearch()} family="anti-affinity" />
      <Outlet />
    </>
  )
}
