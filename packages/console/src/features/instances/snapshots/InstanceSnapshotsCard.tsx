import * as op from '@gantry/api/client/operations.gen'
import { whyNot } from '@gantry/api/base/state.rules'
import { consistencyWords, instanceSnapshotAllows } from '@gantry/api/storage/instance-snapshot.rules'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useChanged } from '#/data/live.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { confirmRecycling, goneBytes } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { StateWithReason } from '#/kit/list/StateWithReason.tsx'
import { type RowAction, rowMenu } from '#/kit/list/row-menu.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { type InstanceSnapshot, instanceSnapshotsIn } from './queries.ts'

const RestoreDialog = lazyPart(() => import('./RestoreDialog.tsx'), 'RestoreDialog')
const EditInstanceSnapshot = lazyPart(() => import('./EditInstanceSnapshot.tsx'), 'EditInstanceSnapshot')
const NewInstanceDialog = lazyPart(() => import('./NewInstanceDialog.tsx'), 'NewInstanceDialog')

const families: Record<InstanceSnapshot['state'], StateFamily> = {
  creating: 'busy',
  ready: 'ok',
  faulted: 'fail',
}

function State({ state, failure }: Pick<InstanceSnapshot, 'state' | 'failure'>) {
  const plate = <StatePlate family={families[state]}>{sentenceCase(state)}</StatePlate>
  return failure ? <StateWithReason failure={failure}>{plate}</StateWithReason> : plate
}

const ofInstance: Column<InstanceSnapshot> = {
  id: 'instance',
  header: 'Instance',
  part: 'meta',
  cell: ({ instanceName }) => <Truncate text={instanceName} max={24} />,
}
const columnsWith = (hasInstance: boolean): Column<InstanceSnapshot>[] => [
  {
    id: 'name',
    header: 'Name',
    part: 'name',
    cell: ({ name }) => <Truncate text={name} max={32} />,
  },
  ...(hasInstance ? [ofInstance] : []),
  { id: 'state', header: 'State', part: 'state', cell: (snapshot) => <State {...snapshot} /> },
  {
    id: 'holds',
    header: 'Disks hold',
    part: 'line',
    cell: ({ consistency, disks }) =>
      consistency ? (
        <span title={disks.map(({ name }) => name).join(', ')}>{consistencyWords[consistency]}</span>
      ) : (
        <EmptyCell />
      ),
  },
  { id: 'size', header: 'Size', align: 'right', cell: ({ size }) => <Size bytes={size} /> },
  {
    id: 'created',
    header: 'Created',
    part: 'meta',
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

interface Opened {
  dialog: 'restore' | 'create' | 'edit'
  snapshot: InstanceSnapshot
}

interface Props {
  project: string
  /** Only those of this instance, by its id. */
  instance?: string
  /** Nothing is shown where there are none. */
  hidesEmpty?: boolean
  button?: ReactNode
}

/** Snapshots of whole instances, with what can be done with them. */
export function InstanceSnapshotsCard({ project, instance, hidesEmpty = false, button }: Props) {
  const { data, error, refetch } = useQuery({
    ...instanceSnapshotsIn(project, instance),
    refetchInterval: ({ state }) => state.data?.some((one) => one.state === 'creating') && 1000,
  })
  const [open, setOpen] = useState<Opened>()
  const changed = useChanged()
  const columns = useMemo(() => columnsWith(instance === undefined), [instance])
  const actions = useRowActions(project, setOpen)
  if (hidesEmpty && !data?.length) return null
  const problem = error && !data && <SectionError failure={error} onRetry={() => void refetch()} />
  const close = () => setOpen(undefined)
  return (
    <>
      <Card
        title="Instance snapshots"
        description="All disks of an instance at one point in time, with its settings."
        flush
        actions={button}
      >
        <Table<InstanceSnapshot>
          inset
          label="Instance snapshots"
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          changedKeys={changed}
          skeletonRows={1}
          actions={(snapshot) => rowMenu(snapshot.id, 'Copy ID', actions(snapshot))}
          {...(problem && { error: <div className="px-3.5 pb-3.5">{problem}</div> })}
          empty={<CardEmpty title="No instance snapshots">Take one to be able to return to it.</CardEmpty>}
        />
      </Card>
      {open?.dialog === 'restore' && <RestoreDialog snapshot={open.snapshot} onClose={close} />}
      {open?.dialog === 'edit' && (
        <EditInstanceSnapshot project={project} id={open.snapshot.id} onClose={close} />
      )}
      {open?.dialog === 'create' && (
        <NewInstanceDialog project={project} snapshot={open.snapshot} onClose={close} />
      )}
    </>
  )
}

function useRowActions(
  project: string,
  open: (what: Opened) => void,
): (snapshot: InstanceSnapshot) => RowAction[] {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useDeletion(op.instanceSnapshotDelete, 'instance-snapshot')
  return (snapshot) => {
    const { id, name, state, size } = snapshot
    return [
      {
        label: 'Restore',
        disabled: whyNotAllowed ?? whyNot(instanceSnapshotAllows, 'restore', state),
        onSelect: () => open({ dialog: 'restore', snapshot }),
      },
      {
        label: 'Create instance',
        disabled: whyNotAllowed ?? whyNot(instanceSnapshotAllows, 'createInstance', state),
        onSelect: () => open({ dialog: 'create', snapshot }),
      },
      { label: 'Edit', disabled: whyNotAllowed, onSelect: () => open({ dialog: 'edit', snapshot }) },
      {
        label: 'Delete',
        disabled: whyNotAllowed ?? whyNot(instanceSnapshotAllows, 'delete', state),
        onSelect: () =>
          confirmRecycling({
            kind: 'instance snapshot',
            name,
            gone: goneBytes(size),
            besides: 'The snapshots of its disks are deleted with it.',
            run: (isForGood, send) =>
              remove({ id }, { path: { instanceSnapshot: id }, query: {} }, isForGood, send),
          }),
      },
    ]
  }
}
