import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import type { ReactNode } from 'react'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { confirmRecycling } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { usePlannedDelete } from '#/features/deletion/use-planned-delete.ts'
import { useProtections } from '#/features/protection/use-protections.tsx'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { type Vpc, vpcAt } from './queries.ts'

/**
 * The actions of a row and of the VPC's own page, which leaves after the deletion in `onDelete`. Render `dialog` on the
 * page.
 */
export function useVpcRowActions(
  project: string,
  onDelete?: (is: Deletion) => void,
): { actions: ActionsOf<Vpc>; dialog: ReactNode } {
  const whyNotAllowed = useWhyNotNetworks(project)
  const remove = useDeletion(op.vpcDelete, 'vpc')
  const protections = useProtections('vpc', project)
  const deletePlanned = usePlannedDelete()
  const actions: ActionsOf<Vpc> = ({ id, name }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: { to: '/projects/$project/vpcs/$vpc/edit', params: { project, vpc: name } },
      // From the VPC's page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    ...tagActions('vpc', { id, name }, whyNotAllowed, project),
    ...protections.actionsFor({ id, name }, whyNotAllowed),
    {
      label: 'Delete',
      disabled: whyNotAllowed ?? protections.whyNot(id, 'delete'),
      onSelect: () =>
        void deletePlanned({
          kind: 'vpc',
          id,
          page: { to: '/projects/$project/vpcs/$vpc/delete', params: { project, vpc: name } },
          ask: () =>
            confirmRecycling({
              kind: 'VPC',
              name,
              gone: 'It is gone for good then.',
              besides:
                'Its firewall rules, routers and internet gateways are deleted with it. Delete its subnets first.',
              run: (isForGood, send) =>
                reportDeletion(() => remove({ id }, vpcAt(project, name), isForGood, send), onDelete),
            }),
        }),
    },
  ]
  return { actions, dialog: protections.dialog }
}

export function VpcDocs() {
  return (
    <DocsPopover topic="VPCs" page="networking">
      A VPC is a private network for a group of instances. Firewall rules control traffic between its
      instances. Instances in other VPCs are reachable only at external IPs.
    </DocsPopover>
  )
}
