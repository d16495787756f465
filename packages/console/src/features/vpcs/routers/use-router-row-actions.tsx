import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import type { Router } from '../queries.ts'
import { routerAt } from './queries.ts'
import { whyNotDeleteRouter } from './reasons.ts'

export function useRouterRowActions(project: string, vpc: string): ActionsOf<Router> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.vpcRouterDelete)
  return ({ name, kind }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: {
        to: '/projects/$project/vpcs/$vpc/routers/$router/edit',
        params: { project, vpc, router: name },
      },
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
