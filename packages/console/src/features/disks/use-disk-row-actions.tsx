import * as op from '@gantry/api/client/operations.gen'
import { diskAllows } from '@gantry/api/storage/disk.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import Camera from 'lucide-react/icons/camera'
import type { ReactNode } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { confirmRecycling, goneBytes } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { useProtections } from '#/features/protection/use-protections.tsx'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import type { Disk } from './queries.ts'
import { whyNotDelete } from './why-not-delete.ts'
import { useTakeSnapshot } from './use-take-snapshot.tsx'

/**
 * The actions of a row and of the disk's own page, which leaves after the deletion in `onDelete`. Render `dialog` on the
 * page.
 */
export function useDiskRowActions(
  project: string,
  onDelete?: (is: Deletion) => void,
): { actions: ActionsOf<Disk>; dialog: ReactNode } {
  const whyNotAllowed = useWhyNotInProject(project)
  const takeSnapshot = useTakeSnapshot(project)
  const remove = useDeletion(op.diskDelete, 'disk')
  const protections = useProtections('disk', project)
  const actions: ActionsOf<Disk> = (disk) => [
    {
      label: 'Snapshot',
      icon: <Camera aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNot(diskAllows, 'snapshot', disk.state.state),
      onSelect: () => {
        toast.info(`Creating snapshot of disk ${disk.name}`)
        void takeSnapshot(disk)
      },
    },
    ...tagActions('disk', disk, whyNotAllowed, project),
    ...protections.actionsFor(disk, whyNotAllowed),
    {
      label: 'Delete',
      disabled: whyNotAllowed ?? protections.whyNot(disk.id, 'delete') ?? whyNotDelete(disk.state.state),
      onSelect: () =>
        confirmRecycling({
          kind: 'disk',
          name: disk.name,
          gone: goneBytes(disk.size),
          besides: 'Snapshots and images created from it are kept.',
          run: (isForGood, send) =>
            reportDeletion(
              () => remove(disk, { path: { disk: disk.name }, query: { project } }, isForGood, send),
              onDelete,
            ),
        }),
    },
  ]
  return { actions, dialog: protections.dialog }
}

export const DiskDocs = () => (
  <DocsPopover topic="disks">
    A disk is persistent storage that an instance sees as a drive. It attaches to one instance at a time,
    outlives the instance, and can be copied by a snapshot while in use.
  </DocsPopover>
)
