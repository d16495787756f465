import { useQuery } from '@tanstack/react-query'
import { DeferredValue, deferredOf } from '#/features/common/DeferredValue.tsx'
import { PageLink } from '#/features/common/PageLink.tsx'
import { MiniTable } from '#/ui/MiniTable.tsx'
import { routerLink } from '../links.ts'
import { allRouters, type Gateway, type Route, type Router, routesOf } from '../queries.ts'
import { routesTo } from './routes-to.ts'

interface Props {
  project: string
  vpc: string
  gateway: Gateway
}

/** The routes to a gateway, with their routers. */
export function GatewayRoutes({ project, vpc, gateway }: Props) {
  const { data: routers } = useQuery(allRouters(project, vpc))
  const routes = deferredOf(useQuery(routesOf(routers)))
  return (
    <DeferredValue
      of={routes}
      render={(all) => (
        <MiniTable
          label="Routes targeting this gateway"
          columns={[
            { header: 'Router', cell: (route) => routerOf(project, vpc, routers, route) },
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

function routerOf(project: string, vpc: string, routers: readonly Router[] | undefined, route: Route) {
  const router = routers?.find(({ id }) => id === route.vpcRouterId)
  return (
    router && (
      <PageLink {...routerLink(project, vpc, router.name)} className="link">
        {router.name}
      </PageLink>
    )
  )
}
