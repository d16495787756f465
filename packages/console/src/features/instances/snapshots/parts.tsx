// @chunk instance-snapshot-rows: of lists and pages of instance snapshots, which few open.
import * as op from '@gantry/api/client/operations.gen'
import { whyNot } from '@gantry/api/base/state.rules'
import { consistencyWords, instanceSnapshotAllows } from '@gantry/api/storage/instance-snapshot.rules'
import { type ReactNode, useState } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { confirmRecycling, goneBytes } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { type Deletion, type Renaming, reportDeletion } from '#/kit/page/use-viewed.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { InstanceSnapshotState } from './InstanceSnapshotState.tsx'
import type { InstanceSnapshot } from './queries.ts'

const RestoreDialog = lazyPart(() => import('./RestoreDialog.tsx'), 'RestoreDialog')
const EditInstanceSnapshot = lazyPart(() => import('./EditInstanceSnapshot.tsx'), 'EditInstanceSnapshot')
const NewInstanceDialog = lazyPart(() => import('./NewInstanceDialog.tsx'), 'NewInstanceDialog')

export const stateColumn: Column<InstanceSnapshot> = {
  id: 'state',
  header: 'State',
  part: 'state',
  cell: (snapshot) => <InstanceSnapshotState {...snapshot} />,
}

/** What the disks hold. */
export const holdsColumn: Column<InstanceSnapshot> = {
  id: 'holds',
  header: 'Disks hold',
  part: 'line',
  cell: ({ consistency, disks }) =>
    consistency ? (
      <span title={disks.map(({ name }) => name).join(', ')}>{consistencyWords[consistency]}</span>
    ) : (
      <EmptyCell />
    ),
}

interface Opened {
  dialog: 'restore' | 'create' | 'edit'
  snapshot: InstanceSnapshot
}

interface OfPage {
  onDelete?: (is: Deletion) => void
  onRename?: (is: Renaming) => void
}

/**
 * The actions of a row and of the snapshot's own page, which leaves after the deletion in `onDelete` and follows it in
 * `onRename`. Render `dialog` on the page.
 */
export function useInstanceSnapshotActions(
  project: string,
  { onDelete, onRename }: OfPage = {},
): { actions: ActionsOf<InstanceSnapshot>; dialog: ReactNode } {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useDeletion(op.instanceSnapshotDelete, 'instance-snapshot')
  const [open, setOpen] = useState<Opened>()
  const close = () => setOpen(undefined)
  const actions: ActionsOf<InstanceSnapshot> = (snapshot) => {
    const { id, name, state, size } = snapshot
    return [
      {
        label: 'Restore',
        disabled: whyNotAllowed ?? whyNot(instanceSnapshotAllows, 'restore', state),
        onSelect: () => setOpen({ dialog: 'restore', snapshot }),
      },
      {
        label: 'Create instance',
        disabled: whyNotAllowed ?? whyNot(instanceSnapshotAllows, 'createInstance', state),
        onSelect: () => setOpen({ dialog: 'create', snapshot }),
      },
      { label: 'Edit', disabled: whyNotAllowed, onSelect: () => setOpen({ dialog: 'edit', snapshot }) },
      ...tagActions('instance-snapshot', { id, name }, whyNotAllowed, project),
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
              reportDeletion(
                () => remove({ id }, { path: { instanceSnapshot: id }, query: {} }, isForGood, send),
                onDelete,
              ),
          }),
      },
    ]
  }
  const dialog = open && (
    <>
      {open.dialog === 'restore' && <RestoreDialog snapshot={open.snapshot} onClose={close} />}
      {open.dialog === 'edit' && (
        <EditInstanceSnapshot project={project} id={open.snapshot.id} onRename={onRename} onClose={close} />
      )}
      {open.dialog === 'create' && (
        <NewInstanceDialog project={project} snapshot={open.snapshot} onClose={close} />
      )}
    </>
  )
  return { actions, dialog }
}

export const InstanceSnapshotDocs = () => (
  <DocsPopover topic="instance snapshots" page="storage#instance-snapshots">
    An instance snapshot holds all disks of an instance at one point in time, with its settings. You can
    return the instance to it, or create another one.
  </DocsPopover>
)
