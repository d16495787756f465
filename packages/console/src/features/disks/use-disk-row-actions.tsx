import * as op from '@gantry/api/client/operations.gen'
import { diskAllows } from '@gantry/api/disk.rules'
import { whyNot } from '@gantry/api/state.rules'
import Camera from 'lucide-react/icons/camera'
import { useOp } from '#/data/use-op.ts'
import { toast } from '#/ui/toast.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import type { Disk } from './queries.ts'
import { useTakeSnapshot } from './use-take-snapshot.tsx'

export function useDiskRowActions(project: string): ActionsOf<Disk> {
  const whyNotAllowed = useWhyNotInProject(project)
  const takeSnapshot = useTakeSnapshot(project)
  const remove = useOp(op.diskDelete)
  return (disk) => [
    {
      label: 'Snapshot',
      icon: <Camera aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNot(diskAllows, 'snapshot', disk.state.state),
      onSelect: () => {
        toast.info(`Creating snapshot of disk ${disk.name}`)
        void takeSnapshot(disk)
      },
    },
    {
      label: 'Delete',
      disabled: whyNotAllowed ?? whyNotDelete(disk.state.state),
      onSelect: () =>
        confirmDelete({
          kind: 'disk',
          name: disk.name,
          extra: 'Its data is lost. Snapshots and images created from it are kept.',
          run: () => remove.run({ path: { disk: disk.name }, query: { project } }),
        }),
    },
  ]
}

/** The reason beside `Delete`; undefined if the disk can be deleted. */
const whyNotDelete = (state: Disk['state']['state']): string | undefined =>
  state === 'attached'
    ? 'The disk must be detached before it can be deleted'
    : whyNot(diskAllows, 'delete', state)
