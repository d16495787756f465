import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useOp } from '../../../../data/use-op.ts'
import { confirmDelete } from '../../../common/confirm.tsx'
import { useWhyNotInProject } from '../../../common/project-permission.ts'
import type { ActionsOf } from '../../../common/ResourceTable.tsx'
import { vpcPaths } from '../paths.ts'
import type { Router } from '../queries.ts'
import { routerAt } from './queries.ts'
import { whyNotDeleteRouter } from './reasons.ts'

/** What the menu of a row offers. */
export function useRouterRowActions(project: string, vpc: string): ActionsOf<Router> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.vpcRouterDelete)
  return ({ name, kind }) => [
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
          extra: 'Its routes are deleted with it. Subnets that use it fall back to the system router.',
          run: () => remove.run(routerAt(project, vpc, name)),
        }),
    },
  ]
}
