import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import { type Deletion, reportDeletion } from '#/features/common/report-deletion.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import { type AntiAffinityGroup, groupAt } from './queries.ts'

/** The actions of a row and of the group's own page, which leaves after the deletion in `onDelete`. */
export function useGroupRowActions(
  project: string,
  onDelete?: (is: Deletion) => void,
): ActionsOf<AntiAffinityGroup> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.antiAffinityGroupDelete)
  return ({ name }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: { to: '/projects/$project/affinity/$group/edit', params: { project, group: name } },
      // From the group's page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    {
      label: 'Delete',
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmDelete({
          kind: 'anti-affinity group',
          name,
          extra: 'Its members stay where they are but are no longer kept apart.',
          run: () => reportDeletion(() => remove.run(groupAt(project, name)), onDelete),
        }),
    },
  ]
}
