import * as op from '@gantry/api/client/operations.gen'
import { whyNot } from '@gantry/api/base/state.rules'
import { supportBundleAllows } from '@gantry/api/system/support-bundle.rules'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import Pencil from 'lucide-react/icons/pencil'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { bundleName } from './links.ts'
import { type Bundle, bundleAt } from './queries.ts'
import { saveBundle } from './save-bundle.ts'

/** The menu of a row, and of the bundle's own page. `onDelete` leaves that page after the deletion. */
export function useBundleActions(onDelete?: (is: Deletion) => void): ActionsOf<Pick<Bundle, 'id' | 'state'>> {
  const whyNotOnFleet = useWhyNotOnFleet()
  const remove = useOp(op.supportBundleDelete)
  return ({ id, state }) => [
    {
      label: 'Download',
      icon: <ArrowDownToLine aria-hidden strokeWidth={1.75} />,
      disabled: whyNot(supportBundleAllows, 'download', state),
      onSelect: () => void saveBundle(id),
    },
    {
      label: 'Edit comment',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotOnFleet,
      link: { to: '/system/support-bundles/$bundle/edit', params: { bundle: id } },
      over: onDelete !== undefined,
    },
    {
      label: 'Delete',
      disabled: whyNotOnFleet ?? whyNot(supportBundleAllows, 'delete', state),
      onSelect: () =>
        confirmDelete({
          kind: 'support bundle',
          name: bundleName(id),
          gone:
            state === 'collecting'
              ? 'Its collection is still in progress, and will be canceled.'
              : 'Its files are gone for good.',
          hasOwnMessage: true,
          run: async () => {
            await reportDeletion(() => remove.run(bundleAt(id)), onDelete)
            toast.success(successMessage('support bundle', bundleName(id), 'is being deleted'))
          },
        }),
    },
  ]
}

export const SupportBundleDocs = () => (
  <DocsPopover topic="support bundles" page="production#support-bundles">
    A support bundle is an archive of the data that support needs to diagnose this installation: versions,
    configuration, health, logs, and the history of jobs and faults. It contains no secrets, no names of users
    or their resources, and no disk contents.
  </DocsPopover>
)
