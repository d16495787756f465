import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useLayoutEffect } from 'react'
import { useOp } from '../../../../data/use-op.ts'
import { confirmDelete } from '../../../common/confirm.tsx'
import { useWhyNotInProject } from '../../../common/project-permission.ts'
import type { ActionsOf } from '../../../common/use-late-actions.ts'
import type { Subnet } from '../../queries.ts'
import { vpcPaths } from '../paths.ts'
import { subnetAt } from '../queries.ts'

interface Props {
  project: string
  vpc: string
  offer: (actionsOf: ActionsOf<Subnet>) => void
}

/** What the rows' menus of the list offer. */
export function SubnetRowActions({ project, vpc, offer }: Props) {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.vpcSubnetDelete, { refreshes: [op.vpcSubnetList, op.vpcRouterRouteList] })
  useLayoutEffect(() =>
    offer(({ name }) => [
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
    ]),
  )
  return null
}
