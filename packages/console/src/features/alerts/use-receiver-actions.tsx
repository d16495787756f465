import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import Send from 'lucide-react/icons/send'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { receiverAt } from './queries.ts'

interface Row {
  name: string
}

interface Options {
  /** Opens the test dialog. The receiver's page has a button instead. */
  onTest?: (receiver: string) => void
  /** Leaves the receiver's page after the deletion. */
  onDelete?: (is: Deletion) => void
}

/** The menu of a row, and of the receiver's own page. */
export function useReceiverActions({ onTest, onDelete }: Options): ActionsOf<Row> {
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.alertReceiverDelete)
  return ({ name }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNot,
      link: { to: '/system/alerts/$receiver/edit', params: { receiver: name } },
      // From the receiver's page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    ...(onTest
      ? [
          {
            label: 'Send test',
            icon: <Send aria-hidden strokeWidth={1.75} />,
            onSelect: () => onTest(name),
          },
        ]
      : []),
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () =>
        confirmDelete({
          kind: 'alert receiver',
          name,
          gone: 'Its secrets, subscriptions and deliveries are deleted too. Pending deliveries are not sent.',
          run: () => reportDeletion(() => remove.run(receiverAt(name)), onDelete),
        }),
    },
  ]
}
