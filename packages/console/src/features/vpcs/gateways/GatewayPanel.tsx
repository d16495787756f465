import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DeferredValue, deferredOf } from '#/features/common/DeferredValue.tsx'
import { WideIdItem } from '#/features/common/plate-items.tsx'
import { ViewPanel } from '#/features/common/ViewPanel.tsx'
import { DataItem, DataPlate } from '#/ui/DataPlate.tsx'
import { plural } from '#/ui/format.ts'
import { Note } from '#/ui/Note.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { IpLink } from '#/features/common/IpLink.tsx'
import { IpPoolName } from '#/features/ip-pools/IpPoolName.tsx'
import { vpcLink } from '../links.ts'
import {
  type GatewayAddress,
  gatewayAddresses,
  type GatewayPool,
  gatewayPools,
  gatewayView,
} from '../queries.ts'
import { GatewayRoutes } from './GatewayRoutes.tsx'

interface Props {
  project: string
  vpc: string
  gateway: string
}

/** A read-only internet gateway: only the API can change it. */
export function GatewayPanel({ project, vpc, gateway: name }: Props) {
  const { data: gateway } = useSuspenseQuery(gatewayView(project, vpc, name))
  const pools = deferredOf(useQuery(gatewayPools([gateway])))
  const addresses = deferredOf(useQuery(gatewayAddresses([gateway])))
  return (
    <ViewPanel
      title="Internet gateway"
      context={gateway.name}
      closeTo={vpcLink(project, vpc, 'internet-gateways')}
    >
      <Note>Internet gateways can only be changed through the API for now.</Note>
      <DataPlate narrow>
        <DataItem label="Name">{gateway.name}</DataItem>
        <DataItem label="Description">{gateway.description || <EmptyCell />}</DataItem>
        <WideIdItem id={gateway.id} />
      </DataPlate>
      <DeferredValue
        of={addresses}
        render={(all) => (
          <Section title={addressTitle(all.length)}>
            {all.length === 0 ? (
              <NoAddress hasPool={pools !== undefined && pools !== 'unknown' && pools.length > 0} />
            ) : (
              all.map((address) => <Address key={address.id} address={address} />)
            )}
          </Section>
        )}
      />
      <DeferredValue
        of={pools}
        render={(all) => (
          <Section title={plural('Internet gateway IP pool', all.length || 1)}>
            {all.length === 0 ? (
              <p>No IP pool is attached to this internet gateway.</p>
            ) : (
              all.map((pool) => <Pool key={pool.id} pool={pool} />)
            )}
          </Section>
        )}
      />
      <Section title="Routes targeting this gateway">
        <GatewayRoutes project={project} vpc={vpc} gateway={gateway} />
      </Section>
    </ViewPanel>
  )
}

/** Plural heading for several, singular for one or none. */
const addressTitle = (count: number): string => `Internet gateway IP ${count > 1 ? 'addresses' : 'address'}`

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-2.5">
      <h3 className="text-md">{title}</h3>
      {children}
    </section>
  )
}

const NoAddress = ({ hasPool }: { hasPool: boolean }) => (
  <p>
    No IP address is attached to this internet gateway.{' '}
    {hasPool
      ? 'An address from the attached IP pool will be used.'
      : 'Use the command line to attach one, or to attach an IP pool.'}
  </p>
)

function Address({ address: { name, description, address } }: { address: GatewayAddress }) {
  return (
    <DataPlate narrow>
      <DataItem label="Name">{name}</DataItem>
      <DataItem label="Description">{description || <EmptyCell />}</DataItem>
      <DataItem label="IP Address" wide>
        <IpLink ip={address} />
      </DataItem>
    </DataPlate>
  )
}

function Pool({ pool: { name, description, ipPoolId } }: { pool: GatewayPool }) {
  return (
    <DataPlate narrow>
      <DataItem label="Name">{name}</DataItem>
      <DataItem label="Description">{description || <EmptyCell />}</DataItem>
      <DataItem label="IP Pool Name" wide>
        <IpPoolName id={ipPoolId} />
      </DataItem>
    </DataPlate>
  )
}
