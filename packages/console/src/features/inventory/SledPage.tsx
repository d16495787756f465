import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usePolling } from '#/data/live.ts'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { ResourcePage } from '#/features/common/ResourcePage.tsx'
import { ResourceTable } from '#/features/common/ResourceTable.tsx'
import { RouteTabs } from '#/features/common/RouteTabs.tsx'
import { actionMenu } from '#/features/common/row-menu.tsx'
import { useListPage } from '#/features/common/use-list-page.ts'
import { useViewed } from '#/features/common/use-viewed.ts'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { DrainCard } from './drain/DrainCard.tsx'
import { sledLink } from './links.ts'
import { type SledUse, sledDrains, sledInstances, sledUses, sledView } from './queries.ts'
import { RackLights } from './rack/RackLights.tsx'
import { RackStrip } from './rack/RackStrip.tsx'
import { sledInstanceColumns } from './sled-instance-columns.tsx'
import { SledPlate } from './SledPlate.tsx'
import { useSledActions } from './use-sled-actions.tsx'

const drainPollMs = 2000
const noUses: readonly SledUse[] = []

/** One sled: hardware and policy, the latest drain, and its instances. */
export function SledPage({ sled: id }: { sled: string }) {
  const { data: sled } = useViewed(sledView(id))
  const { data: drains } = useQuery({ ...sledDrains(id), refetchInterval: usePolling(drainPollMs) })
  const drain = drains?.items[0]
  const { data: all } = useQuery(sledUses)
  const uses = all?.items ?? noUses
  const serials = useMemo(
    () => new Map(uses.map((each) => [each.sled.id, each.sled.baseboard.serial])),
    [uses],
  )
  const { actions, dialog } = useSledActions()
  return (
    <ResourcePage
      title={`Sled ${sled.baseboard.serial}`}
      docs={
        <DocsPopover topic="sleds">
          A sled is a server of the rack. Instances are placed on provisionable sleds only. Drain a sled
          before it is serviced.
        </DocsPopover>
      }
      kind="Sled"
      menu={() => actionMenu(actions({ sled, isDraining: drain?.state === 'running' }))}
      plate={<SledPlate sled={sled} />}
    >
      <RackLights uses={uses}>
        <div className="mt-5 space-y-5.5">
          {all && <RackStrip uses={uses} current={id} />}
          {drain && <DrainCard drain={drain} serials={serials} />}
          <RouteTabs label="Sled" tabs={[{ id: 'instances', label: 'Instances', link: sledLink(id) }]}>
            <Instances sled={id} />
          </RouteTabs>
        </div>
      </RackLights>
      {dialog}
    </ResourcePage>
  )
}

function Instances({ sled }: { sled: string }) {
  return (
    <ResourceTable
      tall
      label="Instances"
      list={useListPage(sledInstances(sled))}
      columns={sledInstanceColumns}
      empty={<EmptyState title="No instances found">Instances on this sled will show up here</EmptyState>}
    />
  )
}
