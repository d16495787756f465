import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useOp } from '../../../../data/use-op.ts'
import { confirmDelete } from '../../../common/confirm.tsx'
import { useWhyNotInProject } from '../../../common/project-permission.ts'
import type { ActionsOf } from '../../../common/ResourceTable.tsx'
import type { Subnet } from '../../queries.ts'
import { vpcPaths } from '../paths.ts'
import { subnetAt } from '../queries.ts'

/** What the menu of a row offers. */
export function useSubnetRowActions(project: string, vpc: string): ActionsOf<Subnet> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.vpcSubnetDelete)
  return ({ name }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      to: vpcPaths.subnetEdit(project, vpc, name),
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
