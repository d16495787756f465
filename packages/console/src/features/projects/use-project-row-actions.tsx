import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useWhyNotEach } from '#/data/permissions-of-rows.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import { deleteProject } from './delete-project.ts'

type Project = OutputOf<'projectView'>

export function useProjectRowActions(rows: readonly Project[]): ActionsOf<Project> {
  const whyNot = useWhyNotEach(rows, ({ id }) => ({ action: 'modify', object: 'project', id }))
  const remove = useOp(op.projectDelete)
  const whyNotChange = (project: Project) => (whyNot ? whyNot(project) : 'Checking your permissions')
  return (project) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      link: { to: '/projects/$project/edit', params: { project: project.name } },
      over: true,
      disabled: whyNotChange(project),
    },
    {
      label: 'Delete',
      disabled: whyNotChange(project),
      onSelect: () =>
        confirmDelete({
          kind: 'project',
          name: project.name,
          extra: 'It must be empty. Its default network is deleted with it.',
          run: () => deleteProject(project.name, () => remove.run({ path: { project: project.name } })),
        }),
    },
  ]
}
