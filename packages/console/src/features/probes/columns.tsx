import type { ProbeState } from '@gantry/api/probe.rules'
import { createdColumn, descriptionColumn, plainNameColumn } from '#/features/common/columns.tsx'
import { PageLink } from '#/features/common/PageLink.tsx'
import { sledLink } from '#/features/inventory/links.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import type { Column } from '#/ui/column.ts'
import { type StateFamily, StatePlate } from '#/ui/StatePlate.tsx'
import type { Probe } from './queries.ts'

const words: Record<ProbeState, { family: StateFamily; text: string }> = {
  running: { family: 'ok', text: 'Running' },
  unreachable: { family: 'fail', text: 'Unreachable' },
}

export const probeColumns: Column<Probe>[] = [
  plainNameColumn<Probe>(),
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: ({ state }) => <StatePlate family={words[state].family}>{words[state].text}</StatePlate>,
  },
  {
    id: 'sled',
    header: 'Sled',
    part: 'meta',
    cell: ({ sled, sledSerial }) => (
      <PageLink {...sledLink(sled)} className="link">
        {sledSerial}
      </PageLink>
    ),
  },
  {
    id: 'internal',
    header: 'Internal address',
    isLabelled: true,
    cell: ({ interface: { ip } }) => <CopyableId id={ip} max={39} />,
  },
  {
    id: 'external',
    header: 'External address',
    isLabelled: true,
    cell: ({ externalIps }) => externalIps.map(({ ip }) => <CopyableId key={ip} id={ip} max={39} />),
  },
  descriptionColumn<Probe>(),
  createdColumn<Probe>(),
]
