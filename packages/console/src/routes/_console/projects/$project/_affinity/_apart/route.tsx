import { createFileRoute } from '@tanstack/react-router'
import { GroupList } from '#/features/affinity/GroupList.tsx'
import { groupsIn } from '#/features/affinity/queries.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { pageSearch } from '#/kit/list/use-list-page.ts'

export const Route = createFileRoute('/_console/projects/$project/_affinity/_apart')({
  validateSearch: pageSearch,
  loader: ({ params: { project }, ...visit }) => loadList(visit, groupsIn('anti-affinity', project)),
  component: () => <GroupList {...Route.useParams()} family="anti-affinity" />,
})
