import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import Plug from 'lucide-react/icons/plug'
import Unplug from 'lucide-react/icons/unplug'
import { type ReactNode, useState } from 'react'
import { externalSubnetAllows } from '@gantry/api/network/external-subnet.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import { useWhyLacking } from '#/data/fleet.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction, confirmRecycling } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import type { ActionsOf, RowAction } from '#/kit/list/row-menu.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { useProtections } from '#/features/protection/use-protections.tsx'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { holderOf, type Holders } from '../holders.ts'
import { attachedReason } from './reasons.ts'
import { type ExternalSubnet, externalSubnetAt } from './queries.ts'

const AttachDialog = lazyPart(() => import('./AttachSubnetDialog.tsx'), 'AttachSubnetDialog')

/**
 * The actions of a row and of the subnet's own page, which leaves after the deletion in `onDelete`. Render `dialog` on
 * the page.
 */
export function useExternalSubnetRowActions(
  project: string,
  holders: Holders,
  onDelete?: (is: Deletion) => void,
): { actions: ActionsOf<ExternalSubnet>; dialog: ReactNode } {
  const [attaching, setAttaching] = useState<ExternalSubnet>()
  const whyNotAllowed = useWhyNotInProject(project)
  const whyUndelivered = useWhyLacking('external_subnets')
  const detach = useOp(op.externalSubnetDetach)
  const remove = useDeletion(op.externalSubnetDelete, 'external-subnet')
  const protections = useProtections('external-subnet', project)

  const attachAction = (externalSubnet: ExternalSubnet): RowAction => ({
    label: 'Attach',
    icon: <Plug aria-hidden strokeWidth={1.75} />,
    disabled: whyNotAllowed ?? whyUndelivered,
    onSelect: () => setAttaching(externalSubnet),
  })

  function detachAction(externalSubnet: ExternalSubnet): RowAction {
    const { name, subnet } = externalSubnet
    const deferred = holderOf(holders, externalSubnet)
    const holder = typeof deferred === 'object' ? deferred : undefined
    return {
      label: 'Detach',
      icon: <Unplug aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? (holder && whyNot(externalSubnetAllows, 'detach', holder.runState)),
      onSelect: () =>
        confirmAction({
          title: 'Detach external subnet',
          content: (
            <p>
              Detach <strong>{name}</strong>
              {holder && (
                <>
                  {' '}
                  from <strong>{holder.name}</strong>
                </>
              )}
              ? Packets to <span className="font-mono">{subnet}</span> reach the instance no longer. The block
              stays in the project.
            </p>
          ),
          kind: 'danger',
          pendingLabel: 'Detaching',
          errorTitle: 'Could not detach external subnet',
          success: successMessage('External subnet', name, 'detached'),
          isPlanned: true,
          run: (_isForGood, send) => detach.run(externalSubnetAt(project, name), send),
        }),
    }
  }

  const actions: ActionsOf<ExternalSubnet> = (externalSubnet) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: {
        to: '/projects/$project/external-subnets/$externalSubnet/edit',
        params: { project, externalSubnet: externalSubnet.name },
      },
      over: true,
    },
    externalSubnet.instanceId ? detachAction(externalSubnet) : attachAction(externalSubnet),
    ...tagActions('external-subnet', externalSubnet, whyNotAllowed, project),
    ...protections.actionsFor(externalSubnet, whyNotAllowed),
    {
      label: 'Delete',
      disabled:
        whyNotAllowed ??
        protections.whyNot(externalSubnet.id, 'delete') ??
        (externalSubnet.instanceId ? attachedReason : undefined),
      onSelect: () =>
        confirmRecycling({
          kind: 'external subnet',
          name: externalSubnet.name,
          gone: `The block ${externalSubnet.subnet} returns to its pool, and others may get it.`,
          run: (isForGood, send) =>
            reportDeletion(
              () => remove(externalSubnet, externalSubnetAt(project, externalSubnet.name), isForGood, send),
              onDelete,
            ),
        }),
    },
  ]

  const dialog = (
    <>
      {attaching && (
        <AttachDialog project={project} externalSubnet={attaching} onClose={() => setAttaching(undefined)} />
      )}
      {protections.dialog}
    </>
  )
  return { actions, dialog }
}

export const ExternalSubnetDocs = () => (
  <DocsPopover topic="external subnets" page="networking#external-subnets">
    An external subnet is a block of addresses of a project. It attaches to one instance at a time, which gets
    the packets to all of its addresses, and outlives the instance.
  </DocsPopover>
)
