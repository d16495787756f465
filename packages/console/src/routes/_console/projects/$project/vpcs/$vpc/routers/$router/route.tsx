import { createFileRoute, Outlet } from '@tanstack/react-router'
import { pageSearch } from '#/features/common/use-list-page.ts'
import { routerView, routesIn } from '#/features/vpcs/routers/queries.ts'
import { RouterPage } from '#/features/vpcs/routers/RouterPage.tsx'

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
  component: Router,
})

function Router() {
  return (
    <>
      <RouterPage {...Route.useParams()} />
      <Outlet />
    </>
  )
}
