import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { Pencil } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { useOp } from '../../data/use-op.ts'
import { confirmDelete } from '../common/confirm.tsx'
import type { ActionsOf } from '../common/use-late-actions.ts'
import { deleteProject } from './delete-project.ts'
import { projectPaths } from './queries.ts'

/** What the rows' menus of the list offer. */
export function ProjectRowActions({
  offer,
}: {
  offer: (actionsOf: ActionsOf<OutputOf<'projectView'>>) => void
}) {
  const remove = useOp(op.projectDelete, { refreshes: [op.projectList] })
  useLayoutEffect(() =>
    offer(({ name }) => [
      {
        label: 'Edit',
        icon: <Pencil aria-hidden strokeWidth={1.75} />,
        to: projectPaths.edit(name),
        over: true,
      },
      {
        label: 'Delete',
        onSelect: () =>
          confirmDelete({
            kind: 'project',
            name,
            extra: 'It must be empty. Its default network goes with it.',
            run: () => deleteProject(name, () => remove.run({ path: { project: name } })),
          }),
      },
    ]),
  )
  return null
}
