import { createFileRoute, Outlet } from '@tanstack/react-router'
import { pageSearch } from '../../../../../../../../features/common/use-list-page.ts'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'
import { routerView, routesIn } from '../../../../../../../../features/networking/vpcs/routers/queries.ts'
import { RouterPage } from '../../../../../../../../features/networking/vpcs/routers/RouterPage.tsx'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/routers/$router')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project, vpc, router }, location }) =>
    context.prefetch(
      routerView(project, vpc, router),
      routesIn(project, vpc, router).at(pageSearch(location.search).page),
    ),
  staticData: {
    crumb: ({ project = '', vpc = '', router = '' }) => [
      { label: 'Routers', path: vpcPaths.routers(project, vpc) },
      { label: router, path: vpcPaths.router(project, vpc, router) },
      { label: 'Routes', path: vpcPaths.router(project, vpc, router) },
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
