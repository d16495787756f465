import { type Deferred, DeferredValue } from '#/kit/page/deferred.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/data/column.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { percentOf } from '#/ui/data/format-amounts.ts'
import { MiniGauge } from '#/ui/data/Gauge.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { RowTags } from '#/features/tags/tagged-name.tsx'
import { sledLink } from './links.ts'
import { hasUses, type SledLoad, type SledUse } from './queries.ts'
import { PolicyKindTag, ProvisionPolicyTag, SledHealth } from './hardware-columns.tsx'

/** With what the rows lack on servers with the base API alone. */
export const sledColumns = (loads: Deferred<ReadonlyMap<string, SledLoad>>): Column<SledUse>[] => [
  {
    id: 'serial',
    header: 'Serial number',
    cell: ({ sled }) => (
      <>
        <PageLink {...sledLink(sled.id)} className="name">
          {sled.baseboard.serial}
        </PageLink>{' '}
        <RowTags kind="sled" id={sled.id} />
      </>
    ),
  },
  {
    id: 'part',
    header: 'Part number',
    part: 'meta',
    rank: 'low',
    cell: ({ sled }) => sled.baseboard.part,
  },
  {
    id: 'revision',
    header: 'Revision',
    align: 'right',
    rank: 'low',
    cell: ({ sled }) => sled.baseboard.revision,
  },
  {
    id: 'kind',
    header: 'Kind',
    rank: 'low',
    cell: ({ sled }) => <PolicyKindTag {...sled} />,
  },
  {
    id: 'policy',
    header: 'Provision policy',
    cell: ({ sled }) => <ProvisionPolicyTag {...sled} />,
  },
  {
    id: 'slot',
    header: 'Slot',
    align: 'right',
    isLabelled: true,
    cell: ({ cubby }) => (hasUses() ? formatNumber(cubby) : <EmptyCell />),
  },
  { id: 'state', header: 'State', part: 'state', cell: (use) => <SledHealth {...use} /> },
  {
    id: 'threads',
    header: 'Threads',
    isLabelled: true,
    cell: (use) => (
      <DeferredValue
        of={loadOf(use, loads)}
        render={({ threads }) => <Load label="Threads reserved" {...threads} />}
      />
    ),
  },
  {
    id: 'memory',
    header: 'Memory',
    isLabelled: true,
    cell: (use) => (
      <DeferredValue
        of={loadOf(use, loads)}
        render={({ memory }) => <Load label="Memory reserved" {...memory} />}
      />
    ),
  },
  {
    id: 'instances',
    header: 'Instances',
    align: 'right',
    isLabelled: true,
    cell: (use) => (
      <DeferredValue of={loadOf(use, loads)} render={({ instances }) => formatNumber(instances)} />
    ),
  },
  {
    id: 'id',
    header: 'ID',
    part: 'meta',
    rank: 'low',
    cell: ({ sled }) => <CopyableId id={sled.id} max={12} />,
  },
]

export const sledGroups = [
  ['Baseboard', 3],
  ['Policy', 2],
  ['', 6],
] as const

function loadOf(use: SledUse, loads: Deferred<ReadonlyMap<string, SledLoad>>): Deferred<SledLoad> {
  if (hasUses()) return { ...use, instances: use.instances.length }
  return loads === undefined || loads === 'unknown' ? loads : loads.get(use.sled.id)
}

/** The share of a sled's threads or memory reserved by instances. */
function Load({ label, used, total }: { label: string; used: number; total: number }) {
  const percent = percentOf(used, total)
  return percent === undefined ? <EmptyCell /> : <MiniGauge label={label} used={Math.round(percent)} />
}
