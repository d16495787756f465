import { ActivityTab } from '#/features/activity/tab.ts'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { texts } from '#/kit/list/use-list-page.ts'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { activityKeys } from '#/features/activity/search.ts'
import { routerLink } from '#/features/vpcs/links.ts'
import type { Router } from '#/features/vpcs/queries.ts'
import { routerView, routesIn } from '#/features/vpcs/routers/queries.ts'
import { Routes } from '#/features/vpcs/routers/Routes.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Tag } from '#/ui/data/Tag.tsx'

const search = texts('tab', ...activityKeys)

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/routers/$router')({
  validateSearch: search,
  loader: async ({ context, params: { project, vpc, router }, location }) => {
    const { tab, page } = search(location.search)
    const view = routerView(project, vpc, router)
    if (tab === 'activity') await context.prefetch(view)
    else await context.prefetch(view, routesIn(project, vpc, router).at(page))
  },
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
      <RouterPage {...Route.useParams()} search={Route.useSearch()} />
      <Outlet />
    </>
  )
}

interface Props {
  project: string
  vpc: string
  router: string
  search: ReturnType<typeof search>
}

const tabsOf = ({ project, vpc, router }: Props) =>
  [
    { id: 'routes', label: 'Routes', link: routerLink(project, vpc, router) },
    {
      id: 'activity',
      label: 'Activity',
      link: routerLink(project, vpc, router, 'activity'),
      isExtension: true,
    },
  ] as const

/** One router, its routes, and what happened to it. */
function RouterPage(props: Props) {
  const { project, vpc, router: name, search: asked } = props
  const current = asked.tab === 'activity' ? asked.tab : 'routes'
  const { data: router } = useViewed(routerView(project, vpc, name))
  return (
    <ResourcePage
      title={router.name}
      docs={
        <DocsPopover topic="routers" page="networking#routers-and-routes">
          A router is a collection of routes that direct the traffic of a VPC. The system router serves every
          subnet; a custom router serves the subnets it is attached to, and its routes take precedence.
        </DocsPopover>
      }
      kind="Router"
      menu={() => rowMenu(router.id, 'Copy ID', [])}
      plate={<Plate router={router} />}
    >
      <div className="mt-4">
        <RouteTabs label="Router" tabs={tabsOf(props)} current={current}>
          {current === 'routes' ? (
            <Routes project={project} vpc={vpc} router={router} />
          ) : (
            <ActivityTab scope={{ of: 'project', project, object: router.id }} search={asked} />
          )}
        </RouteTabs>
      </div>
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
