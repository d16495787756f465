import * as op from '@gantry/api/client/operations.gen'
import ChartLine from 'lucide-react/icons/chart-line'
import Pencil from 'lucide-react/icons/pencil'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { editSavedQueryLink, explorerLink } from './links.ts'
import { useWhyNotChange } from './parts.tsx'
import { type SavedQuery, savedQueryAt, type Scope } from './queries.ts'

/** The menu of a row, and of the query's own page, which leaves after the deletion in `onDelete`. */
export function useSavedQueryActions(
  project: Scope,
  onDelete?: (is: Deletion) => void,
): ActionsOf<SavedQuery> {
  const whyNot = useWhyNotChange(project)
  const remove = useOp(op.metricQueryDelete)
  return ({ name, query, filterOf }) => [
    ...(filterOf
      ? []
      : [
          {
            label: 'Run',
            icon: <ChartLine aria-hidden strokeWidth={1.75} />,
            link: explorerLink(project, query),
          },
        ]),
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      link: editSavedQueryLink(project, name),
      // From the query's page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () =>
        confirmDelete({
          kind: 'saved query',
          name,
          gone: 'Its threshold and history are deleted too.',
          run: () => reportDeletion(() => remove.run(savedQueryAt(project, name)), onDelete),
        }),
    },
  ]
}
