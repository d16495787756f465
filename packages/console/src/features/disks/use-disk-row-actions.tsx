import * as op from '@gantry/api/client/operations.gen'
import { diskAllows, diskMaxSize } from '@gantry/api/storage/disk.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import Camera from 'lucide-react/icons/camera'
import Expand from 'lucide-react/icons/expand'
import Pencil from 'lucide-react/icons/pencil'
import { type ReactNode, useState } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { confirmRecycling, goneBytes } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import type { ActionsOf, RowAction } from '#/kit/list/row-menu.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { type Deletion, type Renaming, reportDeletion } from '#/kit/page/use-viewed.ts'
import { useProtections } from '#/features/protection/use-protections.tsx'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import type { Disk } from './queries.ts'
import { whyNotDelete } from './why-not-delete.ts'
import { whyNeverOf, whyNotCopy } from './why-not-copy.ts'
import { useTakeSnapshot } from './use-take-snapshot.tsx'

/** What a disk's own page hears of. */
interface OfPage {
  onDelete?: (is: Deletion) => void
  onRename?: (is: Renaming) => void
}

const GrowDisk = lazyPart(() => import('./GrowDisk.tsx'), 'GrowDisk')
const ImageOfDisk = lazyPart(() => import('./ImageOfDisk.tsx'), 'ImageOfDisk')
const EditDisk = lazyPart(() => import('./EditDisk.tsx'), 'EditDisk')

/**
 * The actions of a row and of the disk's own page, which leaves after the deletion in `onDelete` and follows it in `onRename`. Render `dialog` on the
 * page.
 */
export function useDiskRowActions(
  project: string,
  { onDelete, onRename }: OfPage = {},
): { actions: ActionsOf<Disk>; dialog: ReactNode } {
  const whyNotAllowed = useWhyNotInProject(project)
  const takeSnapshot = useTakeSnapshot(project)
  const remove = useDeletion(op.diskDelete, 'disk')
  const protections = useProtections('disk', project)
  const isServed = useHasExtensions()
  const [editing, setEditing] = useState<Disk>()
  const [growing, setGrowing] = useState<Disk>()
  const [imaging, setImaging] = useState<Disk>()
  const edit = (disk: Disk): RowAction => ({
    label: 'Edit',
    icon: <Pencil aria-hidden strokeWidth={1.75} />,
    disabled: whyNotAllowed,
    onSelect: () => setEditing(disk),
  })
  const grow = (disk: Disk): RowAction => ({
    label: 'Grow',
    icon: <Expand aria-hidden strokeWidth={1.75} />,
    disabled:
      whyNotAllowed ??
      whyNeverOf('grow', disk) ??
      whyNot(diskAllows, 'grow', disk.state.state) ??
      (disk.size >= diskMaxSize ? 'It has the size of the largest disk' : undefined),
    onSelect: () => setGrowing(disk),
  })
  const actions: ActionsOf<Disk> = (disk) => [
    ...(isServed ? [edit(disk), grow(disk)] : []),
    {
      label: 'Snapshot',
      icon: <Camera aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNotCopy(disk),
      onSelect: () => {
        toast.info(`Creating snapshot of disk ${disk.name}`)
        void takeSnapshot(disk)
      },
    },
    ...(isServed
      ? [
          {
            label: 'Create image',
            disabled: whyNotAllowed ?? whyNotCopy(disk),
            onSelect: () => setImaging(disk),
          },
        ]
      : []),
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
  const dialog = (
    <>
      {editing && (
        <EditDisk
          project={project}
          disk={editing}
          onRename={onRename}
          onClose={() => setEditing(undefined)}
        />
      )}
      {imaging && <ImageOfDisk project={project} disk={imaging} onClose={() => setImaging(undefined)} />}
      {growing && <GrowDisk project={project} disk={growing} onClose={() => setGrowing(undefined)} />}
      {protections.dialog}
    </>
  )
  return { actions, dialog }
}

export const DiskDocs = () => (
  <DocsPopover topic="disks" page="storage#disks">
    A disk is persistent storage that an instance sees as a drive. It attaches to one instance at a time,
    outlives the instance, and can be copied by a snapshot while in use.
  </DocsPopover>
)
