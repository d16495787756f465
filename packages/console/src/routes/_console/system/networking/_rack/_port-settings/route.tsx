import { createFileRoute } from '@tanstack/react-router'
import EthernetPort from 'lucide-react/icons/ethernet-port'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { createdColumn, nameColumn } from '#/kit/list/columns.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTab } from '#/kit/list/ResourceList.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { settingsLink } from '#/features/rack-network/port-settings/links.ts'
import { portSettings, type SettingsRow } from '#/features/rack-network/port-settings/queries.ts'
import { useSettingsActions } from '#/features/rack-network/port-settings/use-settings-actions.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_port-settings')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, portSettings),
  staticData: { crumb: { label: 'Port settings', to: '/system/networking/port-settings' } },
  component: PortSettings,
})

function PortSettings() {
  return (
    <ResourceTab
      kind="port settings"
      icon={EthernetPort}
      label="Port settings"
      about="Links, addresses, routes and BGP peers for the ports of switches. Apply them to a port in the fabric."
      list={useListPage(portSettings)}
      columns={settingsColumns}
      actions={useSettingsActions()}
      rowEntry={({ name }) => ({ label: name, link: settingsLink(name) })}
      create={{
        link: { to: '/system/networking/port-settings-new' },
        whyNot: useWhyNotOnFleet(),
      }}
      empty={{ title: 'No port settings', text: 'Create port settings to see them here' }}
    />
  )
}

const settingsColumns: Column<SettingsRow>[] = [
  nameColumn<SettingsRow>(({ name }) => settingsLink(name)),
  {
    id: 'description',
    header: 'Description',
    part: 'line',
    cell: ({ description }) => description || <EmptyCell />,
  },
  createdColumn<SettingsRow>(),
]
