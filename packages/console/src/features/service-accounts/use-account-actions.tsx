import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { editAccountLink } from './links.ts'
import { useWhyNotManage } from './parts.tsx'
import { accountAt, type ServiceAccount } from './queries.ts'

/** The menu of a row, and of the account's own page, which leaves after the deletion in `onDelete`. */
export function useAccountActions(
  project: string | undefined,
  onDelete?: (is: Deletion) => void,
): ActionsOf<ServiceAccount> {
  const whyNot = useWhyNotManage(project)
  const remove = useOp(op.serviceAccountDelete)
  return ({ name }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      link: editAccountLink(project, name),
      // From the account's page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () =>
        confirmDelete({
          kind: 'service account',
          name,
          gone: 'Its access tokens end at once, and programs that use them are refused. This cannot be undone.',
          run: () => reportDeletion(() => remove.run(accountAt(project, name)), onDelete),
        }),
    },
  ]
}
