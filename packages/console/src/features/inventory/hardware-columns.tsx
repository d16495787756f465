import type { Column } from '#/ui/column.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { sentenceCase } from '#/ui/format.ts'
import { StatePlate } from '#/ui/StatePlate.tsx'
import { Tag } from '#/ui/Tag.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'
import type { PhysicalDisk, Sled, SledUse, Switch } from './queries.ts'

export const diskColumns: Column<PhysicalDisk>[] = [
  { id: 'id', header: 'ID', cell: ({ id }) => <CopyableId id={id} max={24} /> },
  {
    id: 'form',
    header: 'Form factor',
    cell: ({ formFactor }) => <Tag>{formFactor === 'u2' ? 'U.2' : 'M.2'}</Tag>,
  },
  { id: 'model', header: 'Model number', part: 'meta', cell: ({ model }) => model },
  { id: 'serial', header: 'Serial number', part: 'meta', cell: ({ serial }) => serial },
  { id: 'policy', header: 'Policy', cell: ({ policy }) => <PolicyKindTag policy={policy} /> },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: ({ state }) => (
      <StatePlate family={state === 'active' ? 'ok' : 'gone'}>{sentenceCase(state)}</StatePlate>
    ),
  },
]

/** What identifies a piece of hardware. */
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

/** The most important fact about a sled for an operator. */
export function SledHealth({ sled, isLost, drainId }: Pick<SledUse, 'sled' | 'isLost' | 'drainId'>) {
  if (sled.policy.kind === 'expunged') return <StatePlate family="gone">Expunged</StatePlate>
  if (isLost) return <StatePlate family="fail">Lost</StatePlate>
  if (drainId !== null) return <StatePlate family="busy">Draining</StatePlate>
  if (sled.state === 'decommissioned') return <StatePlate family="gone">Decommissioned</StatePlate>
  return <StatePlate family="ok">Active</StatePlate>
}
