import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { asFailure } from '#/data/failure.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { editScheduleLink } from './links.ts'
import { type Schedule, scheduleAt } from './queries.ts'

/** The menu of a row, and of the schedule's own page, which leaves after the deletion in `onDelete`. */
export function useScheduleActions(project: string, onDelete?: (is: Deletion) => void): ActionsOf<Schedule> {
  const whyNot = useWhyNotInProject(project)
  const update = useOp(op.scheduleUpdate)
  const remove = useOp(op.scheduleDelete)
  return ({ name, isEnabled }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      link: editScheduleLink(project, name),
      // From the schedule's page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    {
      label: isEnabled ? 'Disable' : 'Enable',
      disabled: whyNot,
      onSelect: () =>
        void update
          .run({ ...scheduleAt(project, name), body: { isEnabled: !isEnabled } })
          .catch((error: unknown) =>
            toast.error({ title: 'Could not update schedule', text: failureText(asFailure(error)) }),
          ),
    },
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () =>
        confirmDelete({
          kind: 'schedule',
          name,
          gone: 'The snapshots or backups that it made stay, and nothing deletes them any more.',
          run: () => reportDeletion(() => remove.run(scheduleAt(project, name)), onDelete),
        }),
    },
  ]
}
