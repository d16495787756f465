import { useQuery } from '@tanstack/react-query'
import { Known, lateOf } from '../../../common/Known.tsx'
import { PathLink } from '../../../common/PathLink.tsx'
import { MiniTable } from '../../../../ui/MiniTable.tsx'
import { vpcPaths } from '../paths.ts'
import { allRouters, type Gateway, type Route, type Router, routesOf } from '../queries.ts'
import { routesTo } from './routes-to.ts'

interface Props {
  project: string
  vpc: string
  gateway: Gateway
}

/** Which routes lead to a gateway, and on which router they are. */
export function GatewayRoutes({ project, vpc, gateway }: Props) {
  const { data: routers } = useQuery(allRouters(project, vpc))
  const routes = lateOf(useQuery(routesOf(routers)))
  return (
    <Known
      of={routes}
      render={(all) => (
        <MiniTable
          label="Routes targeting this gateway"
          columns={[
            { header: 'Router', cell: (route) => routerLink(project, vpc, routers, route) },
            { header: 'Route', cell: ({ name }) => name },
          ]}
          items={routesTo(gateway, all)}
          itemKey={({ id }) => id}
          empty="No routes target this gateway."
        />
      )}
    />
  )
}

function routerLink(project: string, vpc: string, routers: readonly Router[] | undefined, route: Route) {
  const router = routers?.find(({ id }) => id === route.vpcRouterId)
  return (
    router && (
      <PathLink to={vpcPaths.router(project, vpc, router.name)} className="link">
        {router.name}
      </PathLink>
    )
  )
}
