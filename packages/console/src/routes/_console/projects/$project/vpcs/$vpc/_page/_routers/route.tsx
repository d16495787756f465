import { createFileRoute, Outlet } from '@tanstack/react-router'
import { RoutersTab } from '../../../../../../../../features/networking/vpcs/routers/RoutersTab.tsx'
import { routersIn } from '../../../../../../../../features/networking/vpcs/routers/queries.ts'
import { pageSearch } from '../../../../../../../../features/common/use-list-page.ts'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/_page/_routers')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project, vpc }, location }) =>
    context.prefetch(routersIn(project, vpc).at(pageSearch(location.search).page)),
  staticData: {
    crumb: ({ project = '', vpc = '' }) => ({
      label: 'Routers',
      path: vpcPaths.routers(project, vpc),
    }),
  },
  component: Routers,
})

function Routers() {
  return (
    <>
      <RoutersTab {...Route.useParams()} />
      <Outlet />
    </>
  )
}
