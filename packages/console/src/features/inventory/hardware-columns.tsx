import type { SledCondition } from '@gantry/api/system/hardware.rules'
import type { Column } from '#/ui/data/column.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { RelativeTime } from '#/ui/data/DateTime.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { PhysicalDisk, Sled, SledUse, Switch } from './queries.ts'

export const diskColumns: Column<PhysicalDisk>[] = [
  {
    id: 'serial',
    header: 'Serial number',
    cell: ({ serial }) => <span className="font-medium text-strong">{serial}</span>,
  },
  { id: 'model', header: 'Model number', part: 'meta', cell: ({ model }) => model },
  {
    id: 'form',
    header: 'Form factor',
    cell: ({ formFactor }) => <Tag>{formFactor === 'u2' ? 'U.2' : 'M.2'}</Tag>,
  },
  { id: 'policy', header: 'Policy', cell: ({ policy }) => <PolicyKindTag policy={policy} /> },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: ({ state }) => (
      <StatePlate family={state === 'active' ? 'ok' : 'gone'}>{sentenceCase(state)}</StatePlate>
    ),
  },
  { id: 'id', header: 'ID', part: 'meta', rank: 'low', cell: ({ id }) => <CopyableId id={id} max={12} /> },
]

/** The identity of a piece of hardware. */
export const baseboardColumns: Column<Pick<Switch, 'baseboard'>>[] = [
  {
    id: 'serial',
    header: 'Serial number',
    cell: ({ baseboard }) => <span className="font-medium text-strong">{baseboard.serial}</span>,
  },
  { id: 'part', header: 'Part number', part: 'meta', cell: ({ baseboard }) => baseboard.part },
  {
    id: 'revision',
    header: 'Revision',
    align: 'right',
    isLabelled: true,
    cell: ({ baseboard }) => baseboard.revision,
  },
]

export const switchColumns: Column<Switch>[] = [
  ...baseboardColumns,
  {
    id: 'rack',
    header: 'Rack',
    part: 'meta',
    isLabelled: true,
    cell: ({ rackId }) => <CopyableId id={rackId} max={24} />,
  },
]

export const isProvisionable = ({ policy }: Pick<Sled, 'policy'>): boolean =>
  policy.kind === 'in_service' && policy.provisionPolicy === 'provisionable'

export const PolicyKindTag = ({ policy }: Pick<PhysicalDisk, 'policy'> | Pick<Sled, 'policy'>) => (
  <Tag>{policy.kind === 'in_service' ? 'In service' : 'Expunged'}</Tag>
)

export function ProvisionPolicyTag(sled: Pick<Sled, 'policy'>) {
  if (sled.policy.kind === 'expunged') return <EmptyCell />
  return <Tag>{isProvisionable(sled) ? 'Provisionable' : 'Not provisionable'}</Tag>
}

const families: Record<SledCondition, StateFamily> = {
  active: 'ok',
  draining: 'busy',
  lost: 'fail',
  decommissioned: 'gone',
  expunged: 'gone',
}

/** The one state of a sled, and since when it is lost. */
export const SledHealth = ({ condition, lostSince }: Pick<SledUse, 'condition' | 'lostSince'>) => (
  <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
    <StatePlate family={families[condition]}>{sentenceCase(condition)}</StatePlate>
    {lostSince && <RelativeTime value={lostSince} caption="Lost since" />}
  </span>
)
