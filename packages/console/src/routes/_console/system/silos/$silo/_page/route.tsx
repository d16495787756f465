import { createFileRoute, Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { siloLink } from '#/features/silos/links.ts'
import { type Silo, siloView } from '#/features/silos/queries.ts'
import { identityModeTags, SiloDocs, useSiloRowActions } from '#/features/silos/parts.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Tag } from '#/ui/data/Tag.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page')({ component: SiloLayout })

function SiloLayout() {
  return (
    <SiloPage {...Route.useParams()}>
      <Outlet />
    </SiloPage>
  )
}

const tabsOf = (silo: string) =>
  [
    { id: 'idps', label: 'Identity Providers', link: siloLink(silo) },
    { id: 'ip-pools', label: 'IP Pools', link: siloLink(silo, 'ip-pools') },
    { id: 'quotas', label: 'Quotas', link: siloLink(silo, 'quotas') },
    { id: 'fleet-roles', label: 'Fleet roles', link: siloLink(silo, 'fleet-roles') },
    { id: 'scim', label: 'SCIM', link: siloLink(silo, 'scim') },
    { id: 'users', label: 'Users', link: siloLink(silo, 'users') },
    { id: 'groups', label: 'Groups', link: siloLink(silo, 'groups'), isExtension: true },
    { id: 'projects', label: 'Projects', link: siloLink(silo, 'projects'), isExtension: true },
    { id: 'certificates', label: 'Certificates', link: siloLink(silo, 'certificates'), isExtension: true },
    { id: 'activity', label: 'Activity', link: siloLink(silo, 'activity'), isExtension: true },
  ] as const

/** The header above all tabs of a silo. */
function SiloPage({ silo: name, children }: { silo: string; children: ReactNode }) {
  const { data: silo, onDelete } = useViewed(siloView(name), { to: '/system/silos' })
  const actions = useSiloRowActions([silo], onDelete)
  return (
    <ResourcePage
      title={silo.name}
      docs={<SiloDocs />}
      kind="Silo"
      menu={() => actionMenu(actions(silo))}
      plate={<Plate silo={silo} />}
    >
      <div className="mt-4">
        <RouteTabs label="Silo" tabs={tabsOf(name)}>
          {children}
        </RouteTabs>
      </div>
    </ResourcePage>
  )
}

function Plate({ silo }: { silo: Silo }) {
  return (
    <DataPlate summary={silo.description || identityModeTags[silo.identityMode]}>
      <DescriptionItem description={silo.description} />
      <DataItem label="Identity mode">
        <Tag>{identityModeTags[silo.identityMode]}</Tag>
      </DataItem>
      {silo.adminGroupName && <DataItem label="Admin group">{silo.adminGroupName}</DataItem>}
      <DataItem label="Discoverable">{silo.discoverable ? 'Yes' : 'No'}</DataItem>
      <DataItem label="ID">
        <CopyableId id={silo.id} max={24} />
      </DataItem>
      <TimeItems of={silo} changed="Last Modified" />
    </DataPlate>
  )
}
