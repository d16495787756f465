import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import { type Deletion, reportDeletion } from '#/features/common/report-deletion.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import { type Vpc, vpcAt } from './queries.ts'

/** What the menu of a row offers, and that of the VPC's own page, which follows the deletion by `onDelete`. */
export function useVpcRowActions(project: string, onDelete?: (is: Deletion) => void): ActionsOf<Vpc> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.vpcDelete)
  return ({ name }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: { to: '/projects/$project/vpcs/$vpc/edit', params: { project, vpc: name } },
      // The form opens over the VPC's page and not over the list.
      over: onDelete !== undefined,
    },
    {
      label: 'Delete',
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmDelete({
          kind: 'VPC',
          name,
          extra:
            'Its firewall rules, routers and internet gateways are deleted with it. Delete its subnets first.',
          run: () => reportDeletion(() => remove.run(vpcAt(project, name)), onDelete),
        }),
    },
  ]
}
