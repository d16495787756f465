import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/features/common/confirm.tsx'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import type { Route, Router } from '../queries.ts'
import { whyNotDeleteRoute, whyNotEditRoute } from './reasons.ts'

export function useRouteRowActions(project: string, vpc: string, router: Router): ActionsOf<Route> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.vpcRouterRouteDelete)
  return ({ id, name, kind }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNotEditRoute(kind),
      link: {
        to: '/projects/$project/vpcs/$vpc/routers/$router/routes/$route/edit',
        params: { project, vpc, router: router.name, route: name },
      },
      over: true,
    },
    {
      label: 'Delete',
      disabled: whyNotAllowed ?? whyNotDeleteRoute(router.kind),
      onSelect: () =>
        confirmAction({
          title: 'Confirm remove route',
          content: (
            <p>
              Are you sure you want to delete route <strong>{name}</strong>? Its traffic will follow the
              remaining routes.
            </p>
          ),
          kind: 'danger',
          pendingLabel: 'Removing',
          errorTitle: 'Could not remove route',
          success: 'Route deleted',
          run: () => remove.run({ path: { route: id } }),
        }),
    },
  ]
}
