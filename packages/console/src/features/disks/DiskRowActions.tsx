import * as op from '@gantry/api/client/operations.gen'
import { diskAllows } from '@gantry/api/disk.rules'
import { whyNot } from '@gantry/api/state.rules'
import Camera from 'lucide-react/icons/camera'
import { useLayoutEffect } from 'react'
import { useOp } from '../../data/use-op.ts'
import { toast } from '../../ui/toast.ts'
import { confirmDelete } from '../common/confirm.tsx'
import { useWhyNotInProject } from '../common/project-permission.ts'
import type { ActionsOf } from '../common/use-late-actions.ts'
import type { Disk } from './queries.ts'
import { whyNotDelete } from './reasons.ts'
import { useTakeSnapshot } from './use-take-snapshot.ts'

interface Props {
  project: string
  offer: (actionsOf: ActionsOf<Disk>) => void
}

/** What the rows' menus of the list offer. */
export function DiskRowActions({ project, offer }: Props) {
  const whyNotAllowed = useWhyNotInProject(project)
  const takeSnapshot = useTakeSnapshot(project)
  const remove = useOp(op.diskDelete, { refreshes: [op.diskList, op.utilizationView] })
  useLayoutEffect(() =>
    offer((disk) => [
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
            extra: 'What is written on it is lost. Snapshots and images made of it stay.',
            run: () => remove.run({ path: { disk: disk.name }, query: { project } }),
          }),
      },
    ]),
  )
  return null
}
