import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { deferredOf, DeferredValue } from '#/kit/page/deferred.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { WideIdItem } from '#/kit/page/plate-items.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { AddressSection, PoolsSection } from '#/features/vpcs/gateways/Attachments.tsx'
import { routesTo, useGatewayParts } from '#/features/vpcs/gateways/parts.ts'
import { Section } from '#/features/vpcs/gateways/Section.tsx'
import { vpcLink, routerLink } from '#/features/vpcs/links.ts'
import {
  gatewayView,
  allRouters,
  type Gateway,
  type Route as RouterRoute,
  type Router,
  routesOf,
} from '#/features/vpcs/queries.ts'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways/internet-gateways/$gateway',
)({
  loader: ({ context, params: { project, vpc, gateway } }) =>
    context.prefetch(gatewayView(project, vpc, gateway)),
  staticData: { title: 'Edit internet gateway' },
  component: GatewayPanel,
})

/** An internet gateway, whose attachments change here. The API changes neither its name nor its description. */
function GatewayPanel() {
  const { project, vpc, gateway: name } = Route.useParams()
  const { data: gateway } = useViewed(gatewayView(project, vpc, name))
  const parts = useGatewayParts(project, vpc, [gateway])
  return (
    <ViewPanel
      title="Internet gateway"
      context={gateway.name}
      closeTo={vpcLink(project, vpc, 'internet-gateways')}
    >
      <DataPlate narrow>
        <DataItem label="Name">{gateway.name}</DataItem>
        <DataItem label="Description">{gateway.description || <EmptyCell />}</DataItem>
        <WideIdItem id={gateway.id} />
      </DataPlate>
      <AddressSection project={project} gateway={gateway} parts={parts} />
      <PoolsSection project={project} gateway={gateway} parts={parts} />
      <Section title="Routes targeting this gateway">
        <GatewayRoutes project={project} vpc={vpc} gateway={gateway} />
      </Section>
    </ViewPanel>
  )
}

interface Props {
  project: string
  vpc: string
  gateway: Gateway
}

/** The routes to a gateway, with their routers. */
function GatewayRoutes({ project, vpc, gateway }: Props) {
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

function routerOf(project: string, vpc: string, routers: readonly Router[] | undefined, route: RouterRoute) {
  const router = routers?.find(({ id }) => id === route.vpcRouterId)
  return (
    router && (
      <PageLink {...routerLink(project, vpc, router.name)} className="link">
        {router.name}
      </PageLink>
    )
  )
}
