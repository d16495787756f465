import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import Plug from 'lucide-react/icons/plug'
import Unplug from 'lucide-react/icons/unplug'
import { type ReactNode, useState } from 'react'
import { useWhyLacking } from '#/data/fleet.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction, confirmRecycling } from '#/kit/feedback/confirm.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import type { ActionsOf, RowAction } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { useProtections } from '#/features/protection/use-protections.tsx'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { holderOf, type Holders } from '../holders.ts'
import type { FloatingIp } from '../queries.ts'
import { whyNotDetach } from '../reasons.ts'
import { floatingIpFormLink } from './links.ts'
import { floatingIpAt } from './queries.ts'

const AttachDialog = lazyPart(() => import('./AttachDialog.tsx'), 'AttachDialog')

/**
 * The actions of a row and of the address's own page, which leaves after the deletion in `onDelete`. Render `dialog` on
 * the page.
 */
export function useFloatingIpRowActions(
  project: string,
  holders: Holders,
  onDelete?: (is: Deletion) => void,
): { actions: ActionsOf<FloatingIp>; dialog: ReactNode } {
  const [attaching, setAttaching] = useState<FloatingIp>()
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNoExternal = useWhyLacking('external_addresses')
  const detach = useOp(op.floatingIpDetach)
  const remove = useDeletion(op.floatingIpDelete, 'floating-ip')
  const protections = useProtections('floating-ip', project)

  const attachAction = (floatingIp: FloatingIp): RowAction => ({
    label: 'Attach',
    icon: <Plug aria-hidden strokeWidth={1.75} />,
    disabled: whyNotAllowed ?? whyNoExternal,
    onSelect: () => setAttaching(floatingIp),
  })

  function detachAction(floatingIp: FloatingIp): RowAction {
    const { name, ip } = floatingIp
    const deferred = holderOf(holders, floatingIp)
    const holder = typeof deferred === 'object' ? deferred : undefined
    return {
      label: 'Detach',
      icon: <Unplug aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? (holder && whyNotDetach('floating', holder.runState)),
      onSelect: () =>
        confirmAction({
          title: 'Detach floating IP',
          content: (
            <>
              <p>
                Are you sure you want to detach <strong>{name}</strong>
                {holder && (
                  <>
                    {' '}
                    from <strong>{holder.name}</strong>
                  </>
                )}
                ?
              </p>
              <p>
                The instance will no longer be reachable at <span className="font-mono">{ip}</span>. The
                address stays in the project.
              </p>
            </>
          ),
          kind: 'danger',
          pendingLabel: 'Detaching',
          errorTitle: 'Error detaching floating IP',
          success: successMessage('Floating IP', name, 'detached'),
          run: () => detach.run(floatingIpAt(project, name)),
        }),
    }
  }

  const actions: ActionsOf<FloatingIp> = (floatingIp) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: floatingIpFormLink(project, floatingIp.name),
      over: true,
    },
    floatingIp.instanceId ? detachAction(floatingIp) : attachAction(floatingIp),
    ...tagActions('floating-ip', floatingIp, whyNotAllowed, project),
    ...protections.actionsFor(floatingIp, whyNotAllowed),
    {
      label: 'Delete',
      disabled:
        whyNotAllowed ??
        protections.whyNot(floatingIp.id, 'delete') ??
        (floatingIp.instanceId ? 'The floating IP must be detached before it can be deleted' : undefined),
      onSelect: () =>
        confirmRecycling({
          kind: 'floating IP',
          name: floatingIp.name,
          gone: `The address ${floatingIp.ip} returns to its pool, and others may get it.`,
          run: (isForGood, send) =>
            reportDeletion(
              () => remove(floatingIp, floatingIpAt(project, floatingIp.name), isForGood, send),
              onDelete,
            ),
        }),
    },
  ]

  const dialog = (
    <>
      {attaching && (
        <AttachDialog project={project} floatingIp={attaching} onClose={() => setAttaching(undefined)} />
      )}
      {protections.dialog}
    </>
  )
  return { actions, dialog }
}

export const FloatingIpDocs = () => (
  <DocsPopover topic="floating IPs" page="floating-ip">
    A floating IP belongs to a project, not to an instance. It attaches to one instance at a time, can move to
    another, and outlives the instance.
  </DocsPopover>
)
