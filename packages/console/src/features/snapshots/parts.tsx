// @chunk found-lists: of lists that are filtered, in one project and in all of them, which few other pages need.
import * as op from '@gantry/api/client/operations.gen'
import { snapshotAllows } from '@gantry/api/storage/snapshot.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import Disc3 from 'lucide-react/icons/disc-3'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { confirmRecycling, goneBytes } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { StateWithReason } from '#/kit/list/StateWithReason.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import type { Snapshot } from './queries.ts'

const families: Record<Snapshot['state'], StateFamily> = {
  creating: 'busy',
  ready: 'ok',
  destroyed: 'gone',
  faulted: 'fail',
}

/** The state, with the cause of a fault where the server gives one. */
export function SnapshotState({ snapshot: { state, failure } }: { snapshot: Snapshot }) {
  const plate = <StatePlate family={families[state]}>{sentenceCase(state)}</StatePlate>
  if (state !== 'faulted' || !failure) return plate
  return <StateWithReason failure={failure}>{plate}</StateWithReason>
}

/** The actions of a row and of the snapshot's own page, which leaves after the deletion in `onDelete`. */
export function useSnapshotRowActions(
  project: string,
  onDelete?: (is: Deletion) => void,
): ActionsOf<Snapshot> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useDeletion(op.snapshotDelete, 'snapshot')
  return ({ id, name, state, size, instanceSnapshotId }) => [
    {
      label: 'Create image',
      icon: <Disc3 aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNot(snapshotAllows, 'createImage', state),
      link: { to: '/projects/$project/snapshots/$snapshot/images-new', params: { project, snapshot: name } },
      over: true,
    },
    ...tagActions('snapshot', { id, name }, whyNotAllowed, project),
    {
      label: 'Delete',
      disabled:
        whyNotAllowed ??
        (instanceSnapshotId ? 'Deleted with the instance snapshot that it belongs to' : undefined) ??
        whyNot(snapshotAllows, 'delete', state),
      onSelect: () =>
        confirmRecycling({
          kind: 'snapshot',
          name,
          gone: goneBytes(size),
          besides: 'Disks and images created from it are kept.',
          run: (isForGood, send) =>
            reportDeletion(
              () => remove({ id }, { path: { snapshot: name }, query: { project } }, isForGood, send),
              onDelete,
            ),
        }),
    },
  ]
}

export const SnapshotDocs = () => (
  <DocsPopover topic="snapshots" page="storage#snapshots">
    A snapshot is a point-in-time copy of a disk. You can create disks and images from it, even after the disk
    is deleted.
  </DocsPopover>
)
