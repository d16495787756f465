import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import Server from 'lucide-react/icons/server'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { editTemplateLink, filledLink } from './links.ts'
import { useWhyNotSave } from './parts.tsx'
import { type TemplateSummary, templateAt } from './queries.ts'

/** The menu of a row, and of the template's own page, which leaves after the deletion in `onDelete`. */
export function useTemplateActions(
  project: string | undefined,
  onDelete?: (is: Deletion) => void,
): ActionsOf<Pick<TemplateSummary, 'id' | 'name'>> {
  const whyNot = useWhyNotSave(project)
  const remove = useOp(op.instanceTemplateDelete)
  return ({ id, name }) => [
    ...(project === undefined
      ? []
      : [
          {
            label: 'Use',
            icon: <Server aria-hidden strokeWidth={1.75} />,
            disabled: whyNot,
            link: filledLink(project, id),
          },
        ]),
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      link: editTemplateLink(project, name),
      // From the template's page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () =>
        confirmDelete({
          kind: 'instance template',
          name,
          gone: 'Instances that were created from it stay.',
          run: () => reportDeletion(() => remove.run(templateAt(project, name)), onDelete),
        }),
    },
  ]
}
