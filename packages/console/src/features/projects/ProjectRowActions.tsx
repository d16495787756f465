import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useLayoutEffect } from 'react'
import { useWhyNotEach } from '../../data/permissions-of-rows.ts'
import { useOp } from '../../data/use-op.ts'
import { confirmDelete } from '../common/confirm.tsx'
import type { ActionsOf } from '../common/use-late-actions.ts'
import { deleteProject } from './delete-project.ts'
import { projectPaths } from './queries.ts'

type Project = OutputOf<'projectView'>

interface Props {
  rows: readonly Project[]
  offer: (actionsOf: ActionsOf<Project>) => void
}

/** What the rows' menus of the list offer. */
export function ProjectRowActions({ rows, offer }: Props) {
  const whyNot = useWhyNotEach(rows, ({ id }) => ({ action: 'modify', object: 'project', id }))
  const remove = useOp(op.projectDelete, { refreshes: [op.projectList] })
  useLayoutEffect(() => {
    if (!whyNot) return
    offer((project) => [
      {
        label: 'Edit',
        icon: <Pencil aria-hidden strokeWidth={1.75} />,
        to: projectPaths.edit(project.name),
        over: true,
        disabled: whyNot(project),
      },
      {
        label: 'Delete',
        disabled: whyNot(project),
        onSelect: () =>
          confirmDelete({
            kind: 'project',
            name: project.name,
            extra: 'It must be empty. Its default network goes with it.',
            run: () => deleteProject(project.name, () => remove.run({ path: { project: project.name } })),
          }),
      },
    ])
  })
  return null
}
