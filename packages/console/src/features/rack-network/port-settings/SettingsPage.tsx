import { gigabitsOf } from '@gantry/api/rack-network/switch-port.rules'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fleetScope } from '#/features/activity/fleet-scope.ts'
import { WithActivity, type WithActivitySearch } from '#/features/activity/WithActivity.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { nameIn, type Names, useNames } from '#/kit/page/deferred.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { Card } from '#/ui/data/Card.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { allBgpConfigs } from '../bgp/queries.ts'
import { TrialNotes } from '../TrialNotes.tsx'
import { gigabits } from '../states.ts'
import { allPorts, type PortSettings, settingsView } from './queries.ts'
import { useSettingsActions } from './use-settings-actions.tsx'
import { geometryOptions, peerText } from './words.ts'

const pageLink = (settings: string) =>
  ({ to: '/system/networking/port-settings/$settings', params: { settings } }) satisfies LinkTarget

/** Settings of switch ports with all their parts, and the ports that use them. */
export function SettingsPage({ name, asked }: { name: string; asked: WithActivitySearch }) {
  const { data: settings, onDelete } = useViewed(settingsView(name), {
    to: '/system/networking/port-settings',
  })
  const actions = useSettingsActions(onDelete)
  return (
    <ResourcePage
      title={settings.name}
      docs={
        <DocsPopover topic="port settings" page="hardware#switches-and-the-racks-network">
          Several ports can use the same settings. Replacing settings restarts the links of these ports, and
          reverts automatically after 60 seconds unless confirmed.
        </DocsPopover>
      }
      kind="Port settings"
      menu={() => actionMenu(actions(settings))}
      plate={
        <>
          <TrialNotes />
          <Plate settings={settings} />
        </>
      }
    >
      <div className="mt-4">
        <WithActivity
          label="Port settings"
          contents="Settings"
          link={pageLink(name)}
          activityLink={{ ...pageLink(name), search: { tab: 'activity' } }}
          scope={{ ...fleetScope, object: settings.id }}
          asked={asked}
        >
          <div className="grid gap-4 lg:grid-cols-2">
            <Links settings={settings} />
            <Addresses settings={settings} />
            <Routes settings={settings} />
            <Peers settings={settings} />
          </div>
        </WithActivity>
      </div>
    </ResourcePage>
  )
}

interface Props {
  settings: PortSettings
}

function Plate({ settings }: Props) {
  return (
    <DataPlate summary={settings.description || 'No description'}>
      <DescriptionItem description={settings.description} />
      <DataItem label="Port">
        {geometryOptions.find(({ value }) => value === settings.port.geometry)?.label}
      </DataItem>
      <DataItem label="Used by">
        <UsedBy id={settings.id} />
      </DataItem>
      <DataItem label="ID">
        <CopyableId id={settings.id} max={24} />
      </DataItem>
      <TimeItems of={settings} changed="Updated" />
    </DataPlate>
  )
}

function UsedBy({ id }: { id: string }) {
  const { data: ports } = useQuery(allPorts)
  if (!ports) return <Skeleton />
  const own = ports.filter(({ portSettingsId }) => portSettingsId === id)
  return own.map(({ switchSlot, portName }) => `${switchSlot} ${portName}`).join(', ') || 'No port'
}

type Link = PortSettings['links'][number]
const linkColumns = [
  { header: 'Link', cell: ({ linkName }: Link) => linkName },
  { header: 'Speed', cell: ({ speed }: Link) => gigabits(gigabitsOf(speed)) },
  { header: 'Error correction', cell: ({ fec }: Link) => fec ?? 'Default of the cable' },
  { header: 'MTU', cell: ({ mtu }: Link) => mtu },
  { header: 'LLDP', cell: ({ lldpLinkConfig }: Link) => (lldpLinkConfig?.enabled ? 'On' : 'Off') },
]

const Links = ({ settings: { links } }: Props) => (
  <Card title="Links">
    <MiniTable
      label="Links"
      items={links}
      itemKey={({ linkName }) => linkName}
      empty="No links"
      columns={linkColumns}
    />
  </Card>
)

type Address = PortSettings['addresses'][number]
const addressColumns = [
  { header: 'Link', cell: ({ interfaceName }: Address) => interfaceName },
  { header: 'Address', cell: ({ address }: Address) => <Mono>{address}</Mono> },
  { header: 'Address lot', cell: ({ addressLotName }: Address) => addressLotName },
  { header: 'VLAN', cell: ({ vlanId }: Address) => vlanId ?? 'None' },
]

const Addresses = ({ settings: { addresses } }: Props) => (
  <Card title="Addresses">
    <MiniTable
      label="Addresses"
      items={addresses}
      itemKey={({ interfaceName, address }) => `${interfaceName} ${address}`}
      empty="No addresses"
      columns={addressColumns}
    />
  </Card>
)

type Route = PortSettings['routes'][number]
const routeColumns = [
  { header: 'Link', cell: ({ interfaceName }: Route) => interfaceName },
  { header: 'Destination', cell: ({ dst }: Route) => <Mono>{dst}</Mono> },
  { header: 'Gateway', cell: ({ gw }: Route) => <Mono>{gw}</Mono> },
  { header: 'VLAN', cell: ({ vlanId }: Route) => vlanId ?? 'None' },
]

const Routes = ({ settings: { routes } }: Props) => (
  <Card title="Routes">
    <MiniTable
      label="Routes"
      items={routes}
      itemKey={({ interfaceName, dst, gw, vlanId }) => `${interfaceName} ${dst} ${gw} ${vlanId}`}
      empty="No routes"
      columns={routeColumns}
    />
  </Card>
)

type Peer = PortSettings['bgpPeers'][number]
const peerColumns = (configs: Names) => [
  { header: 'Link', cell: ({ interfaceName }: Peer) => interfaceName },
  { header: 'Peer', cell: ({ addr }: Peer) => <Mono>{peerText(addr)}</Mono> },
  { header: 'Configuration', cell: ({ bgpConfig }: Peer) => nameIn(configs, bgpConfig) ?? bgpConfig },
  { header: 'Hold time', cell: ({ holdTime }: Peer) => `${holdTime} s` },
  { header: 'MD5 key', cell: ({ hasMd5AuthKey }: Peer) => (hasMd5AuthKey ? 'Yes' : 'No') },
]

function Peers({ settings: { bgpPeers } }: Props) {
  const configs = useNames(allBgpConfigs)
  return (
    <Card title="BGP peers">
      <MiniTable
        label="BGP peers"
        items={bgpPeers}
        itemKey={({ interfaceName, addr }) => `${interfaceName} ${peerText(addr)}`}
        empty="No BGP peers"
        columns={peerColumns(configs)}
      />
    </Card>
  )
}

const Mono = ({ children }: { children: ReactNode }) => (
  <span className="font-mono text-[0.8125rem]">{children}</span>
)
