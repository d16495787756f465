import { createFileRoute, Outlet } from '@tanstack/react-router'
import { GroupPage } from '../../../../../../features/affinity/GroupPage.tsx'
import { affinityPaths, groupMembers, groupView } from '../../../../../../features/affinity/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/affinity/$group')({
  loader: ({ context, params: { project, group } }) =>
    context.prefetch(groupView(project, group), groupMembers(project, group)),
  staticData: {
    crumb: ({ project = '', group = '' }) => [
      { label: 'Affinity Groups', path: affinityPaths.list(project) },
      { label: group, path: affinityPaths.view(project, group) },
    ],
  },
  component: Group,
})

function Group() {
  return (
    <>
      <GroupPage {...Route.useParams()} />
      <Outlet />
    </>
  )
}
