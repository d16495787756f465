import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useLayoutEffect } from 'react'
import { useOp } from '../../../../data/use-op.ts'
import { confirmDelete } from '../../../common/confirm.tsx'
import { useWhyNotInProject } from '../../../common/project-permission.ts'
import type { ActionsOf } from '../../../common/use-late-actions.ts'
import { vpcPaths } from '../paths.ts'
import type { Router } from '../queries.ts'
import { routerAt } from './queries.ts'
import { whyNotDeleteRouter } from './reasons.ts'

interface Props {
  project: string
  vpc: string
  offer: (actionsOf: ActionsOf<Router>) => void
}

/** What the rows' menus of the tab offer. */
export function RouterRowActions({ project, vpc, offer }: Props) {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.vpcRouterDelete, {
    refreshes: [op.vpcRouterList, op.vpcRouterRouteList, op.vpcSubnetList, op.vpcSubnetView],
  })
  useLayoutEffect(() =>
    offer(({ name, kind }) => [
      {
        label: 'Edit',
        icon: <Pencil aria-hidden strokeWidth={1.75} />,
        disabled: whyNotAllowed,
        to: vpcPaths.routerEdit(project, vpc, name),
        over: true,
      },
      {
        label: 'Delete',
        disabled: whyNotAllowed ?? whyNotDeleteRouter(kind),
        onSelect: () =>
          confirmDelete({
            kind: 'router',
            name,
            extra: 'Its routes go with it. Subnets that use it are left with those of the system router.',
            run: () => remove.run(routerAt(project, vpc, name)),
          }),
      },
    ]),
  )
  return null
}
