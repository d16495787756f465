import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import { subnetLink } from '../links.ts'
import { type Subnet, subnetAt } from '../queries.ts'

export function useSubnetRowActions(project: string, vpc: string): ActionsOf<Subnet> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.vpcSubnetDelete)
  return ({ name }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: subnetLink(project, vpc, name),
      over: true,
    },
    {
      label: 'Delete',
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmDelete({ kind: 'subnet', name, run: () => remove.run(subnetAt(project, vpc, name)) }),
    },
  ]
}
