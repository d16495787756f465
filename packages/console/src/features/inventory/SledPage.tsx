import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { usePolling } from '#/data/live.ts'
import type { Loading } from '#/data/loading.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { needId } from '#/kit/page/loaders.ts'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { actionMenu, type RowAction } from '#/kit/list/row-menu.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { Button } from '#/ui/Button.tsx'
import { DrainCard } from './drain/DrainCard.tsx'
import { SledHealth } from './hardware-columns.tsx'
import { sledActivityLink, sledDisksLink, sledLink } from './links.ts'
import { OutageCard } from './outage/OutageCard.tsx'
import { OutageNote, RemovedNote } from './outage/OutageNote.tsx'
import { MarkAsBack } from './outage/MarkAsBack.tsx'
import { hasUses, type SledUse, sledDrains, sledOutage, sledUses, sledView } from './queries.ts'
import { RackLights } from './rack/RackLights.tsx'
import { RackStrip, SledPlate } from './SledParts.tsx'
import { useSledActions } from './use-sled-actions.tsx'

const drainPollMs = 2000
const noUses: readonly SledUse[] = []

/** One sled: hardware and policy, the latest drain, and a tab. */
export function SledPage({ sled: id, children }: { sled: string; children: ReactNode }) {
  const { data: sled } = useViewed(sledView(id))
  const { data: drains } = useQuery({ ...sledDrains(id), refetchInterval: usePolling(drainPollMs) })
  const drain = drains?.items[0]
  const { data: all } = useQuery(sledUses)
  const uses = all?.items ?? noUses
  const serials = useMemo(
    () => new Map(uses.map((each) => [each.sled.id, each.sled.baseboard.serial])),
    [uses],
  )
  const use = uses.find((each) => each.sled.id === id)
  const isRemoved = sled.policy.kind === 'expunged'
  const isLost = use?.condition === 'lost'
  const { data: outage } = useQuery({ ...sledOutage(id), enabled: isLost || (isRemoved && hasUses()) })
  const shown = (isLost || isRemoved) && outage?.since ? outage : undefined
  const { actions, removal, dialog } = useSledActions()
  const acted = { sled, isDraining: drain?.state === 'running', use }
  return (
    <ResourcePage
      title={`Sled ${sled.baseboard.serial}`}
      docs={
        <DocsPopover topic="sleds" page="hardware#sleds">
          A sled is a server of the rack. Instances are placed on provisionable sleds only. Drain a sled
          before it is serviced.
        </DocsPopover>
      }
      kind="Sled"
      menu={() => actionMenu(actions(acted))}
      state={
        isRemoved ? (
          <SledHealth condition="expunged" lostSince={null} />
        ) : (
          use && use.condition !== 'active' && <SledHealth {...use} />
        )
      }
      actions={
        isLost &&
        shown && (
          <>
            {shown.faults.length > 0 && <MarkAsBack serial={sled.baseboard.serial} faults={shown.faults} />}
            <RemoveButton {...removal(acted)} />
          </>
        )
      }
      plate={
        <>
          {isRemoved && <RemovedNote outage={shown} />}
          {isLost && use && shown && <OutageNote use={use} outage={shown} />}
          <SledPlate sled={sled} use={use} />
        </>
      }
    >
      <RackLights uses={uses}>
        <div className="mt-5 space-y-5.5">
          {use && hasUses() && <RackStrip uses={uses} current={id} />}
          {shown && <OutageCard sledId={id} outage={shown} uses={uses} />}
          {drain && <DrainCard drain={drain} serials={serials} />}
          <RouteTabs
            label="Sled"
            tabs={[
              { id: 'instances', label: 'Instances', link: sledLink(id) },
              { id: 'disks', label: 'Disks', link: sledDisksLink(id) },
              { id: 'activity', label: 'Activity', link: sledActivityLink(id), isExtension: true },
            ]}
          >
            {children}
          </RouteTabs>
        </div>
      </RackLights>
      {dialog}
    </ResourcePage>
  )
}

const RemoveButton = ({ label, disabled, onSelect }: RowAction) => (
  <Button disabledReason={disabled} {...(onSelect && { onClick: onSelect })}>
    {label}…
  </Button>
)

/** Loads the data of the frame around each tab. The rack and a drain would push the tab down if they came later. */
export async function loadSled(context: Loading, sled: string): Promise<void> {
  needId(sled)
  await Promise.all([
    context.prefetch(sledView(sled)),
    context.tryPrefetch(sledDrains(sled)),
    context.tryPrefetch(sledUses),
  ])
  const uses = context.queryClient.getQueryData(sledUses.queryKey)
  const use = uses?.items.find((each) => each.sled.id === sled)
  // A sled that is not listed has been removed.
  if (hasUses() && (!use || use.condition === 'lost' || use.condition === 'expunged'))
    await context.tryPrefetch(sledOutage(sled))
}
