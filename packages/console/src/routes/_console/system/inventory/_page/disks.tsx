import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { loadList } from '#/kit/page/loaders.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { diskColumns } from '#/features/inventory/hardware-columns.tsx'
import { sledLink } from '#/features/inventory/links.ts'
import { type PhysicalDisk, physicalDisks, type SledUse, sledUses } from '#/features/inventory/queries.ts'
import { UnadoptedDisks } from '#/features/inventory/UnadoptedDisks.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/system/inventory/_page/disks')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, physicalDisks, sledUses),
  staticData: { crumb: { label: 'Disks', to: '/system/inventory/disks' } },
  component: Disks,
})

const noUses: readonly SledUse[] = []

/** After what identifies the disk: where it is. */
function columnsWith(uses: readonly SledUse[]): Column<PhysicalDisk>[] {
  const sleds = new Map(uses.map(({ sled, cubby }) => [sled.id, { serial: sled.baseboard.serial, cubby }]))
  const [serial, ...others] = diskColumns
  const place: Column<PhysicalDisk> = {
    id: 'sled',
    header: 'Sled',
    part: 'meta',
    cell: ({ sledId }) => {
      const sled = sledId === null ? undefined : sleds.get(sledId)
      if (sledId === null || !sled) return <EmptyCell />
      return (
        <>
          <PageLink {...sledLink(sledId)} className="link">
            {sled.serial}
          </PageLink>
          {Number.isFinite(sled.cubby) && <span className="text-sm text-muted"> slot {sled.cubby}</span>}
        </>
      )
    },
  }
  return serial ? [serial, place, ...others] : [place]
}

function Disks() {
  const { data } = useQuery(sledUses)
  const uses = data?.items ?? noUses
  const columns = useMemo(() => columnsWith(uses), [uses])
  return (
    <div className="space-y-5.5">
      <UnadoptedDisks uses={uses} />
      <ResourceTable
        label="Disks"
        list={useListPage(physicalDisks)}
        columns={columns}
        empty={<EmptyState title="No disks found" />}
      />
    </div>
  )
}
