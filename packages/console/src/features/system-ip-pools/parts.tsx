import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { isAbsent } from '#/data/extensions.ts'
import { usePlannedDelete } from '#/features/deletion/use-planned-delete.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { poolAt, type PoolWithUse } from './queries.ts'

/** The fields of a pool that its menu needs; `ranges` is undefined until read. */
type Row = Pick<PoolWithUse, 'id' | 'name'> & { ranges: number | undefined }

/** The menu of a row, and of the pool's own page, which leaves after the deletion in `onDelete`. */
export function usePoolRowActions(onDelete?: (is: Deletion) => void): ActionsOf<Row> {
  const whyNotAllowed = useWhyNotOnFleet()
  const remove = useOp(op.ipPoolDelete)
  const deletePlanned = usePlannedDelete()
  const hasPlans = useHasExtensions() && !isAbsent(op.deletionPlanView)
  return ({ id, name, ranges = 0 }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: { to: '/system/networking/ip-pools/$pool/edit', params: { pool: name } },
      // From the pool's page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    ...tagActions('ip-pool', { id, name }, whyNotAllowed),
    {
      label: 'Delete',
      disabled:
        whyNotAllowed ??
        (ranges > 0 && !hasPlans ? 'The IP pool still contains ranges. Remove them first' : undefined),
      onSelect: () =>
        void deletePlanned({
          kind: 'ip-pool',
          id,
          page: { to: '/system/networking/ip-pools-delete/$pool', params: { pool: name } },
          ask: () =>
            confirmDelete({
              kind: 'IP pool',
              name,
              gone: 'Its links to silos are deleted too.',
              run: () => reportDeletion(() => remove.run(poolAt(name)), onDelete),
            }),
        }),
    },
  ]
}

export const PoolDocs = () => (
  <DocsPopover topic="IP pools" page="networking#external-addresses">
    An IP pool is a set of address ranges. Instances in linked silos get their external addresses from it:
    ephemeral IPs, floating IPs and the shared addresses of outbound traffic. A silo uses its default pool
    when a request names none.
  </DocsPopover>
)
