import * as op from '@gantry/api/client/operations.gen'
import { useMemo } from 'react'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { Button } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { formatCount } from '#/ui/data/format-amounts.ts'
import { percentOf } from '#/ui/data/format-amounts.ts'
import { sentenceCase } from '#/ui/data/format.ts'
import { Progress } from '#/ui/data/Progress.tsx'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { Drain } from '../queries.ts'
import { InstanceName } from '../rack/RackLights.tsx'

interface Props {
  drain: Drain
  /** Serial numbers by the id of the sled. */
  serials: ReadonlyMap<string, string>
}

const titles: Record<Drain['state'], string> = {
  running: 'Drain in progress',
  done: 'Drain done',
  cancelled: 'Drain canceled',
}

/** Progress of a sled's latest drain, and what keeps instances there. */
export function DrainCard({ drain, serials }: Props) {
  const whyNot = useWhyNotOnFleet()
  const cancel = useOp(op.sledDrainCancel)
  const columns = useMemo(() => drainColumns(serials), [serials])
  const rows = useMemo(
    () => drain.instances.map((item) => ({ ...item, id: item.instance.id })),
    [drain.instances],
  )
  const { finished, total, state } = drain
  return (
    <Card
      title={titles[state]}
      description={`${finished} of ${formatCount(total, 'instance')} ${drain.mode === 'move' ? 'moved or stopped' : 'stopped'}`}
      flush
      actions={
        state === 'running' && (
          <Button
            disabledReason={whyNot}
            onClick={() => confirmCancel(() => cancel.run({ path: { drainId: drain.id } }))}
          >
            Cancel drain
          </Button>
        )
      }
    >
      {state === 'running' && (
        <div className="px-3.5 pb-3">
          <Progress label="Drain" percent={percentOf(finished, total) ?? 0} />
        </div>
      )}
      <Table
        inset
        label="Drained instances"
        columns={columns}
        rows={rows}
        rowKey={idOf}
        empty={<CardEmpty title="No instances">No instance ran on the sled.</CardEmpty>}
      />
    </Card>
  )
}

const idOf = ({ id }: DrainRow): string => id

const confirmCancel = (run: () => Promise<unknown>): void =>
  confirmAction({
    title: 'Cancel drain',
    content: (
      <p>
        Instances that were moved or stopped do not return. The sled remains not provisionable until you
        change that.
      </p>
    ),
    cancelLabel: 'Keep draining',
    confirmLabel: 'Cancel drain',
    pendingLabel: 'Canceling',
    errorTitle: 'Could not cancel the drain',
    success: 'Drain canceled',
    run,
  })

type Item = Drain['instances'][number]
type DrainRow = Item & { id: string }

const families: Record<Item['state'], StateFamily> = {
  pending: 'care',
  moving: 'busy',
  moved: 'ok',
  stopping: 'busy',
  stopped: 'idle',
  ended: 'gone',
}

const drainColumns = (serials: ReadonlyMap<string, string>): Column<DrainRow>[] => [
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
