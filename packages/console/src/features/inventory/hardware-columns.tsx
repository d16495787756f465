import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/column.ts'
import { sentenceCase } from '#/ui/format.ts'
import { StatePlate } from '#/ui/StatePlate.tsx'
import { Tag } from '#/ui/Tag.tsx'
import type { PhysicalDisk, Switch } from './queries.ts'
import { PolicyKindTag } from './sled-words.tsx'

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
