import { sentenceCase } from '#/ui/format.ts'
import type { Column } from '#/ui/column.ts'
import { type StateFamily, StatePlate } from '#/ui/StatePlate.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'
import type { Drain } from '../queries.ts'
import { InstanceName } from '../rack/InstanceName.tsx'

type Item = Drain['instances'][number]
export type DrainRow = Item & { id: string }

const families: Record<Item['state'], StateFamily> = {
  pending: 'care',
  moving: 'busy',
  moved: 'ok',
  stopping: 'busy',
  stopped: 'idle',
  ended: 'gone',
}

export const drainColumns = (serials: ReadonlyMap<string, string>): Column<DrainRow>[] => [
  {
    id: 'instance',
    header: 'Instance',
    cell: ({ instance }) => <InstanceName instance={instance} />,
  },
  {
    id: 'owner',
    header: 'Silo / project',
    part: 'meta',
    cell: ({ instance }) => `${instance.siloName} / ${instance.projectName}`,
  },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: ({ state }) => <StatePlate family={families[state]}>{sentenceCase(state)}</StatePlate>,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ reason, sledId }) => {
      if (reason !== null) return reason
      return sledId === null ? <EmptyCell /> : `To ${serials.get(sledId) ?? sledId}`
    },
  },
]
