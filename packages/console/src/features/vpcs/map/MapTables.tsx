// @chunk apart: the map as tables, which few open.
import { useMemo } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { InstancePlate } from '#/features/instances/parts.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { Table } from '#/ui/data/Table.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { routerLink, subnetLink } from '../links.ts'
import type { MapInstance, MapSubnet, VpcMap } from './model.ts'

interface VpcScope {
  project: string
  vpc: string
}

interface InstanceRow {
  key: string
  instance: MapInstance
  subnet: string
}

interface ConnectionRow {
  key: string
  router: string
  route: string
  destination: string
  target: string
}

const mono = 'font-mono text-[0.8125rem]'

const subnetColumns = ({ project, vpc }: VpcScope, { routers }: VpcMap): Column<MapSubnet>[] => [
  {
    id: 'name',
    header: 'Subnet',
    cell: ({ name }) => (
      <PageLink {...subnetLink(project, vpc, name)} className="name">
        {name}
      </PageLink>
    ),
  },
  {
    id: 'block',
    header: 'IP Block',
    cell: ({ blocks }) => <span className={mono}>{blocks.join(', ')}</span>,
  },
  {
    id: 'router',
    header: 'Router',
    part: 'meta',
    cell: ({ routerId }) => {
      const router = routers.find(({ id }) => id === routerId)
      if (!router) return <EmptyCell />
      return (
        <PageLink {...routerLink(project, vpc, router.name)} className="link">
          {router.name}
        </PageLink>
      )
    },
  },
  {
    id: 'instances',
    header: 'Instances',
    align: 'right',
    cell: ({ instances }) => formatNumber(instances.length),
  },
]

const instanceColumns = ({ project }: VpcScope): Column<InstanceRow>[] => [
  {
    id: 'name',
    header: 'Instance',
    cell: ({ instance: { name } }) => (
      <PageLink {...instanceLink(project, name, 'networking')} className="name">
        {name}
      </PageLink>
    ),
  },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: ({ instance: { state } }) => <InstancePlate state={state} />,
  },
  { id: 'subnet', header: 'Subnet', part: 'meta', cell: ({ subnet }) => subnet },
  { id: 'ip', header: 'Private IP', cell: ({ instance: { ip } }) => <span className={mono}>{ip}</span> },
]

const connectionColumns = ({ project, vpc }: VpcScope): Column<ConnectionRow>[] => [
  {
    id: 'router',
    header: 'Router',
    cell: ({ router }) => (
      <PageLink {...routerLink(project, vpc, router)} className="name">
        {router}
      </PageLink>
    ),
  },
  { id: 'route', header: 'Route', part: 'meta', cell: ({ route }) => route },
  {
    id: 'destination',
    header: 'Destination',
    cell: ({ destination }) => <span className={mono}>{destination}</span>,
  },
  { id: 'target', header: 'Target', cell: ({ target }) => target },
]

/** Tables with the drawing's contents, without truncation. */
export function MapTables({ map, ...scope }: VpcScope & { map: VpcMap }) {
  const { project, vpc } = scope
  const columns = useMemo(
    () => ({
      subnets: subnetColumns({ project, vpc }, map),
      instances: instanceColumns({ project, vpc }),
      connections: connectionColumns({ project, vpc }),
    }),
    [project, vpc, map],
  )
  return (
    <div className="space-y-5">
      <Card title="Subnets" flush>
        <Table
          inset
          label="Subnets"
          columns={columns.subnets}
          rows={map.subnets}
          rowKey={({ id }) => id}
          empty={
            <CardEmpty title="No VPC subnets">Instances need a subnet to connect to this VPC.</CardEmpty>
          }
        />
      </Card>
      <Card title="Instances" flush>
        <Table
          inset
          label="Instances"
          columns={columns.instances}
          rows={instanceRows(map)}
          rowKey={keyOf}
          empty={<CardEmpty title="No instances">No instance has an interface in this VPC.</CardEmpty>}
        />
      </Card>
      <Card title="Routes" flush>
        <Table
          inset
          label="Routes"
          columns={columns.connections}
          rows={connectionRows(map)}
          rowKey={keyOf}
          empty={<CardEmpty title="No routes">The routers of this VPC have no routes.</CardEmpty>}
        />
      </Card>
    </div>
  )
}

const keyOf = ({ key }: { key: string }): string => key

const instanceRows = ({ subnets }: VpcMap): InstanceRow[] =>
  subnets.flatMap(({ id, name, instances }) =>
    instances.map((instance) => ({ key: `${id}/${instance.id}/${instance.ip}`, instance, subnet: name })),
  )

const connectionRows = ({ routers }: VpcMap): ConnectionRow[] =>
  routers.flatMap((router) =>
    router.routes.map(({ id, name, destination, target }) => ({
      key: id,
      router: router.name,
      route: name,
      destination: destination.value,
      target: targetText(target),
    })),
  )

const targetText = (target: VpcMap['routers'][number]['routes'][number]['target']): string =>
  target.type === 'drop' ? 'Drop' : target.value
