import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { routeAt, routeView } from '#/features/vpcs/routers/queries.ts'
import { changedRoute } from '#/features/vpcs/routers/route-values.ts'
import { RouteForm } from '#/features/vpcs/routers/RouteForm.tsx'

export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/routers/$router/routes/$route/edit',
)({
  loader: ({ context, params: { project, vpc, router, route } }) =>
    context.renew(routeView(project, vpc, router, route)),
  staticData: { title: 'Edit route' },
  component: RouteEdit,
})

function RouteEdit() {
  const { project, vpc, router, route: name } = Route.useParams()
  const view = routeView(project, vpc, router, name)
  const { data: route } = useSuspenseQuery(view)
  const update = useOp(op.vpcRouterRouteUpdate, { sees: view })
  return (
    <RouteForm
      project={project}
      vpc={vpc}
      router={router}
      route={route}
      save={(values, send) =>
        update.run({ ...routeAt(project, vpc, router, name), body: changedRoute(route, values) }, send)
      }
    />
  )
}
