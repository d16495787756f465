import { createFileRoute } from '@tanstack/react-router'
import { loadList } from '#/features/common/load-list.ts'
import { findSearch } from '#/features/common/use-list-page.ts'
import { GroupsTable } from '#/features/silos/people/GroupsTable.tsx'
import { groupsFound } from '#/features/silos/people/queries.ts'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/groups')({
  validateSearch: findSearch,
  loader: ({ params: { silo }, ...visit }) =>
    loadList(visit, groupsFound(silo, findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Groups', to: '/system/silos/$silo/groups' } },
  component: () => <GroupsTable silo={Route.useParams().silo} />,
})
