import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '../../../../../../../../data/use-op.ts'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'
import { routerView } from '../../../../../../../../features/networking/vpcs/routers/queries.ts'
import { whyNoMoreRoutes } from '../../../../../../../../features/networking/vpcs/routers/reasons.ts'
import { routeBody } from '../../../../../../../../features/networking/vpcs/routers/route-values.ts'
import { RouteForm } from '../../../../../../../../features/networking/vpcs/routers/RouteForm.tsx'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/routers/$router/routes-new')({
  staticData: {
    crumb: ({ project = '', vpc = '', router = '' }) => ({
      label: 'New Route',
      path: vpcPaths.routeCreate(project, vpc, router),
      titleOnly: true,
    }),
  },
  component: RouteNew,
})

function RouteNew() {
  const { project, vpc, router: name } = Route.useParams()
  const { data: router } = useSuspenseQuery(routerView(project, vpc, name))
  const create = useOp(op.vpcRouterRouteCreate)
  return (
    <RouteForm
      project={project}
      vpc={vpc}
      router={name}
      whyNone={whyNoMoreRoutes(router.kind)}
      save={(values) => create.run({ query: { project, vpc, router: name }, body: routeBody(values) })}
    />
  )
}
