import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { routerView } from '#/features/vpcs/routers/queries.ts'
import { routeBody } from '#/features/vpcs/routers/route-values.ts'
import { RouteForm } from '#/features/vpcs/routers/RouteForm.tsx'
import { whyNoMoreRoutes } from '#/features/vpcs/routers/words.ts'

export const Route = createFileRoute('/_console/projects/$project/vpcs/$vpc/routers/$router/routes-new')({
  staticData: { title: 'New route' },
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
      save={(values, send) =>
        create.run({ query: { project, vpc, router: name }, body: routeBody(values) }, send)
      }
    />
  )
}
