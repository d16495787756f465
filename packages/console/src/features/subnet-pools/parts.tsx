import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { poolAt, type SubnetPoolWithUse } from './queries.ts'

/** The fields of a pool that its menu needs; `members` is undefined until read. */
type Row = Pick<SubnetPoolWithUse, 'id' | 'name'> & { members: number | undefined }

/** The menu of a row, and of the pool's own page, which leaves after the deletion in `onDelete`. */
export function useSubnetPoolRowActions(onDelete?: (is: Deletion) => void): ActionsOf<Row> {
  const whyNotAllowed = useWhyNotOnFleet()
  const remove = useOp(op.subnetPoolDelete)
  return ({ name, members = 0 }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: { to: '/system/networking/subnet-pools/$pool/edit', params: { pool: name } },
      // From the pool's page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    {
      label: 'Delete',
      disabled:
        whyNotAllowed ??
        (members > 0 ? 'The subnet pool still contains members. Remove them first' : undefined),
      onSelect: () =>
        confirmDelete({
          kind: 'subnet pool',
          name,
          gone: 'Its links to silos are deleted too.',
          isPlanned: true,
          run: (send) => reportDeletion(() => remove.run(poolAt(name), send), onDelete),
        }),
    },
  ]
}

export const SubnetPoolDocs = () => (
  <DocsPopover topic="subnet pools" page="networking#external-subnets">
    A subnet pool is a set of networks, its members. Projects of linked silos get external subnets from it,
    whole blocks of addresses that are routed to one instance.
  </DocsPopover>
)
