import { createFileRoute, Outlet } from '@tanstack/react-router'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { pageSearch } from '#/kit/list/use-list-page.ts'
import { useViewed } from '#/kit/page/use-viewed.ts'
import type { Router } from '#/features/vpcs/queries.ts'
import { routerView, routesIn } from '#/features/vpcs/routers/queries.ts'
import { Routes } from '#/features/vpcs/routers/Routes.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Tag } from '#/ui/data/Tag.tsx'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/routers/$router')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project, vpc, router }, location }) =>
    context.prefetch(
      routerView(project, vpc, router),
      routesIn(project, vpc, router).at(pageSearch(location.search).page),
    ),
  staticData: {
    crumb: [
      { label: 'Routers', to: '/projects/$project/vpcs/$vpc/routers' },
      { param: 'router', to: '/projects/$project/vpcs/$vpc/routers/$router' },
      { label: 'Routes', to: '/projects/$project/vpcs/$vpc/routers/$router' },
    ],
  },
  component: RouterTab,
})

function RouterTab() {
  return (
    <>
      <RouterPage {...Route.useParams()} />
      <Outlet />
    </>
  )
}

interface Props {
  project: string
  vpc: string
  router: string
}

/** One router and its routes. */
function RouterPage({ project, vpc, router: name }: Props) {
  const { data: router } = useViewed(routerView(project, vpc, name))
  return (
    <ResourcePage
      title={router.name}
      docs={
        <DocsPopover topic="routers">
          A router is a collection of routes that direct the traffic of a VPC. The system router serves every
          subnet; a custom router serves the subnets it is attached to, and its routes take precedence.
        </DocsPopover>
      }
      kind="Router"
      menu={() => rowMenu(router.id, 'Copy ID', [])}
      plate={<Plate router={router} />}
    >
      <Routes project={project} vpc={vpc} router={router} />
    </ResourcePage>
  )
}

function Plate({ router }: { router: Router }) {
  return (
    <DataPlate summary={router.description || router.kind}>
      <DescriptionItem description={router.description} />
      <DataItem label="Kind">
        <Tag mono>{router.kind}</Tag>
      </DataItem>
      <TimeItems of={router} changed="Last Modified" />
    </DataPlate>
  )
}
