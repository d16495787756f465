import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { confirmAction, confirmDelete } from '#/kit/feedback/confirm.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { isAbsent } from '#/data/extensions.ts'
import { usePlannedDelete } from '#/features/deletion/use-planned-delete.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { poolAt, type PoolWithUse } from './queries.ts'

/** The fields of a pool that its menu needs; `ranges` is undefined until read. */
type Row = Pick<PoolWithUse, 'id' | 'name' | 'assignment'> & { ranges: number | undefined }

/** The menu of a row, and of the pool's own page, which leaves after the deletion in `onDelete`. */
export function usePoolRowActions(onDelete?: (is: Deletion) => void): ActionsOf<Row> {
  const whyNotAllowed = useWhyNotOnFleet()
  const remove = useOp(op.ipPoolDelete)
  const assign = useOp(op.systemIpPoolAssign)
  const deletePlanned = usePlannedDelete()
  const hasPlans = useHasExtensions() && !isAbsent(op.deletionPlanView)
  return ({ id, name, assignment, ranges = 0 }) => [
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
      label: assignment === 'silos' ? 'Assign to system services' : 'Assign to silos',
      disabled: whyNotAllowed,
      onSelect: () => confirmAssignment(name, assignment, assign.run),
    },
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

function confirmAssignment(
  name: string,
  assignment: PoolWithUse['assignment'],
  run: ReturnType<typeof useOp<'systemIpPoolAssign'>>['run'],
): void {
  const isForSilos = assignment === 'silos'
  const whom = isForSilos ? "the system's services" : 'silos'
  confirmAction({
    title: 'Confirm assignment',
    content: isForSilos
      ? `The services of the system, such as the API and DNS, get addresses from ${name}. No silo can be linked to it.`
      : `The services of the system get no more addresses from ${name}. Silos can be linked to it.`,
    pendingLabel: 'Assigning',
    errorTitle: 'Could not assign IP pool',
    isPlanned: true,
    run: (_isForGood, send) =>
      run({ ...poolAt(name), body: { assignment: isForSilos ? 'system_services' : 'silos' } }, send),
    success: `IP pool ${name} assigned to ${whom}`,
  })
}

export const PoolDocs = () => (
  <DocsPopover topic="IP pools" page="networking#external-addresses">
    An IP pool is a set of address ranges. Instances in linked silos get their external addresses from it:
    ephemeral IPs, floating IPs and the shared addresses of outbound traffic. A silo uses its default pool
    when a request names none. Pools that are assigned to the system's services give them addresses instead.
  </DocsPopover>
)
