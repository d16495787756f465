import * as op from '@gantry/api/client/operations.gen'
import { snapshotAllows } from '@gantry/api/snapshot.rules'
import { whyNot } from '@gantry/api/state.rules'
import Disc3 from 'lucide-react/icons/disc-3'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import { type Snapshot } from './queries.ts'

export function useSnapshotRowActions(project: string): ActionsOf<Snapshot> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.snapshotDelete)
  return ({ name, state }) => [
    {
      label: 'Create image',
      icon: <Disc3 aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNot(snapshotAllows, 'createImage', state),
      link: { to: '/projects/$project/snapshots/$snapshot/images-new', params: { project, snapshot: name } },
      over: true,
    },
    {
      label: 'Delete',
      disabled: whyNotAllowed ?? whyNot(snapshotAllows, 'delete', state),
      onSelect: () =>
        confirmDelete({
          kind: 'snapshot',
          name,
          extra: 'Disks and images created from it are kept.',
          run: () => remove.run({ path: { snapshot: name }, query: { project } }),
        }),
    },
  ]
}
