import type { RouterRoute, RouterRouteCreate, RouterRouteUpdate } from '@gantry/api/network/vpc-router'
import { routeEdits, routeProblem } from '@gantry/api/network/vpc-router.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { invalid, type Refusal, refuseIf } from '@gantry/control-plane/context/refusal'

type Route = Row<'router_route'>
type Ends = Pick<RouterRoute, 'destination' | 'target'>

export async function createRoute(cx: Cx, at: Selectors, body: RouterRouteCreate): Promise<Route> {
  const { row: router, scope } = await need(cx, 'vpc_router', at, 'create_child')
  if (router.kind === 'system')
    throw invalid(
      'user-provided routes cannot be added to a system router',
      'Add the route to a custom router, and attach that router to the subnets that need it.',
    )
  refuseIf(endsProblem(body))
  const { name, description } = body
  return change(cx, scope, async (tx) => {
    await tx.hold('vpc_router', router.id)
    return tx.insert('router_route', {
      name,
      description,
      vpc_router_id: router.id,
      kind: 'custom',
      vpc_subnet_id: null,
      ...stored(body),
    })
  })
}

export async function updateRoute(cx: Cx, at: Selectors, body: RouterRouteUpdate): Promise<Route> {
  const { row, scope } = await need(cx, 'router_route', at, 'modify')
  return change(cx, scope, async (tx) => {
    const route = await tx.lock('router_route', row)
    refuseIf(kindProblem(route, body) ?? endsProblem(body))
    return tx.update('router_route', route, {
      name: body.name ?? route.name,
      description: body.description ?? route.description,
      ...stored(body),
    })
  })
}

export async function deleteRoute(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'router_route', at, 'modify')
  await change(cx, scope, async (tx) => {
    const route = await tx.lock('router_route', row)
    if (route.kind !== 'custom')
      throw invalid('DELETE not allowed on system routes', 'It is deleted together with its subnet or VPC.')
    await tx.remove('router_route', route)
  })
}

const stored = ({ destination, target }: Ends) => ({
  destination: JSON.stringify(destination),
  target: JSON.stringify(target),
})

/** System routes are immutable, except for the target of a default route (B 11.3). */
function kindProblem(route: Route, body: RouterRouteUpdate): Refusal | undefined {
  const editable = routeEdits[route.kind]
  switch (editable) {
    case 'everything':
      return undefined
    case 'target': {
      const { type, value } = route.destination
      const same = body.destination.type === type && body.destination.value === value
      return same && (body.name ?? body.description ?? null) === null
        ? undefined
        : invalid(
            'the destination and metadata of a Default route cannot be changed',
            'Change only the target, and leave the destination unchanged.',
          )
    }
    case 'nothing': {
      const type = route.kind === 'vpc_subnet' ? 'VpcSubnet' : 'VpcPeering'
      return invalid(
        `routes of type ${type} within the system router are not modifiable`,
        'Use a custom router. Its routes take precedence over those of the system router.',
      )
    }
    default:
      throw new Error(editable satisfies never)
  }
}

function endsProblem({ destination, target }: Ends): Refusal | undefined {
  const problem = routeProblem(destination, target)
  return problem === undefined ? undefined : invalid(problem, 'Choose a compatible destination and target.')
}
