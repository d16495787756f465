import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import Waypoints from 'lucide-react/icons/waypoints'
import { useMemo } from 'react'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { pollSlowly } from '#/kit/page/poll-while.ts'
import { ResourceTab } from '#/kit/list/ResourceList.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { routerLink } from '#/features/vpcs/links.ts'
import type { Router } from '#/features/vpcs/queries.ts'
import { foundRouters, routerAt } from '#/features/vpcs/routers/queries.ts'
import { whyNotDeleteRouter } from '#/features/vpcs/routers/words.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Column } from '#/ui/data/column.ts'
import { sentenceCase } from '#/ui/data/format.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_routers')({
  validateSearch: findSearch,
  loader: ({ params: { project, vpc }, ...visit }) =>
    loadList(visit, foundRouters(project, vpc, findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Routers', to: '/projects/$project/vpcs/$vpc/routers' } },
  component: Routers,
})

const columnsIn = (project: string, vpc: string): Column<Router>[] => [
  taggedName(
    'vpc-router',
    nameColumn<Router>(({ name }) => routerLink(project, vpc, name)),
    project,
  ),
  descriptionColumn<Router>(),
  { id: 'kind', header: 'Kind', part: 'meta', cell: ({ kind }) => sentenceCase(kind) },
  createdColumn<Router>(),
]

function Routers() {
  const { project, vpc } = Route.useParams()
  const query = foundRouters(project, vpc, Route.useSearch())
  const list = useListPage(query, { poll: pollSlowly })
  const { columns, find } = useFound({
    kind: 'vpc-router',
    pluralNoun: 'routers',
    place: { project, vpc },
    list: query,
    rows: list.rows,
    columns: useMemo(() => columnsIn(project, vpc), [project, vpc]),
  })
  return (
    <ResourceTab
      kind="router"
      icon={Waypoints}
      label="Routers"
      about="The system router serves every subnet. A custom router serves the subnets it is attached to."
      list={list}
      columns={columns}
      find={find}
      actions={useRouterRowActions(project, vpc)}
      rowEntry={({ name, kind }) => ({ label: name, hint: kind, link: routerLink(project, vpc, name) })}
      create={{
        link: { to: '/projects/$project/vpcs/$vpc/routers-new', params: { project, vpc } },
        whyNot: useWhyNotNetworks(project),
      }}
      empty={{ title: 'No VPC routers', text: 'Create a router to see it here' }}
    />
  )
}

function useRouterRowActions(project: string, vpc: string): ActionsOf<Router> {
  const whyNotAllowed = useWhyNotNetworks(project)
  const remove = useOp(op.vpcRouterDelete)
  return ({ id, name, kind }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: {
        to: '/projects/$project/vpcs/$vpc/routers/$router/edit',
        params: { project, vpc, router: name },
      },
      over: true,
    },
    ...tagActions('vpc-router', { id, name }, whyNotAllowed, project),
    {
      label: 'Delete',
      disabled: whyNotAllowed ?? whyNotDeleteRouter(kind),
      onSelect: () =>
        confirmDelete({
          kind: 'router',
          name,
          gone: 'Its routes are deleted with it. Subnets that use it fall back to the system router.',
          isPlanned: true,
          run: (send) => remove.run(routerAt(project, vpc, name), send),
        }),
    },
  ]
}
