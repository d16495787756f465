import * as op from '@gantry/api/client/operations.gen'
import Pencil from 'lucide-react/icons/pencil'
import { useLayoutEffect } from 'react'
import { useOp } from '../../../../data/use-op.ts'
import { confirmAction } from '../../../common/confirm.tsx'
import { useWhyNotInProject } from '../../../common/project-permission.ts'
import type { ActionsOf } from '../../../common/use-late-actions.ts'
import { vpcPaths } from '../paths.ts'
import type { Route, Router } from '../queries.ts'
import { routeReads } from './queries.ts'
import { whyNotDeleteRoute, whyNotEditRoute } from './reasons.ts'

interface Props {
  project: string
  vpc: string
  router: Router
  offer: (actionsOf: ActionsOf<Route>) => void
}

/** What the rows' menus of a router's routes offer. */
export function RouteRowActions({ project, vpc, router, offer }: Props) {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.vpcRouterRouteDelete, { refreshes: routeReads })
  useLayoutEffect(() =>
    offer(({ id, name, kind }) => [
      {
        label: 'Edit',
        icon: <Pencil aria-hidden strokeWidth={1.75} />,
        disabled: whyNotAllowed ?? whyNotEditRoute(kind),
        to: vpcPaths.routeEdit(project, vpc, router.name, name),
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
                Are you sure you want to delete route <strong>{name}</strong>? Packets that it decided about
                go where the remaining routes lead.
              </p>
            ),
            kind: 'danger',
            pendingLabel: 'Removing',
            errorTitle: 'Could not remove route',
            success: 'Route deleted',
            run: () => remove.run({ path: { route: id } }),
          }),
      },
    ]),
  )
  return null
}
