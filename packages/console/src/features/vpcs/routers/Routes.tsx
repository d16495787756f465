import * as op from '@gantry/api/client/operations.gen'
import { spoken } from '@gantry/api/base/state.rules'
import Pencil from 'lucide-react/icons/pencil'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { plainNameColumn } from '#/kit/list/columns.tsx'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { NewLink } from '#/kit/list/ListPage.tsx'
import { usePaletteItems } from '#/kit/page/palette-items.ts'
import { pollSlowly } from '#/kit/page/poll-while.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import type { Route, Router } from '../queries.ts'
import { routesIn } from './queries.ts'
import { endWords, whyNoMoreRoutes, whyNotDeleteRoute, whyNotEditRoute } from './words.ts'

interface Props {
  project: string
  vpc: string
  router: Router
}

/** The routes of a router. Destinations and targets are names already, so no lookup is needed. */
export function Routes({ project, vpc, router }: Props) {
  const list = useListPage(routesIn(project, vpc, router.name), { poll: pollSlowly })
  const actions = useRouteRowActions(project, vpc, router)
  const whyNotAllowed = useWhyNotNetworks(project)
  const whyNoMore = whyNotAllowed ?? whyNoMoreRoutes(router.kind)
  const link = {
    to: '/projects/$project/vpcs/$vpc/routers/$router/routes-new',
    params: { project, vpc, router: router.name },
  } as const

  usePaletteItems(whyNoMore ? [] : [{ label: 'New route', link, over: true }])

  return (
    <section aria-labelledby="routes" className="mt-5">
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 id="routes" className="text-md">
          Routes
        </h2>
        <NewLink link={link} disabled={whyNoMore}>
          New route
        </NewLink>
      </div>
      <ResourceTable
        label="Routes"
        list={list}
        columns={routeColumns}
        actions={actions}
        empty={
          <EmptyState
            title="No routes"
            action={
              router.kind === 'custom' && (
                <NewLink kind="default" link={link} disabled={whyNoMore}>
                  Add route
                </NewLink>
              )
            }
          >
            Add a route to see it here
          </EmptyState>
        }
      />
    </section>
  )
}

const routeColumns: readonly Column<Route>[] = [
  plainNameColumn<Route>(),
  { id: 'kind', header: 'Kind', part: 'state', cell: ({ kind }) => <Tag mono>{spoken(kind)}</Tag> },
  {
    id: 'destination',
    header: 'Destination',
    part: 'meta',
    cell: ({ destination: { type, value } }) => <Tag kind={endWords[type]}>{value}</Tag>,
  },
  {
    id: 'target',
    header: 'Target',
    part: 'meta',
    cell: ({ target }) =>
      target.type === 'drop' ? (
        <Tag>{endWords.drop}</Tag>
      ) : (
        <Tag kind={endWords[target.type]}>{target.value}</Tag>
      ),
  },
]

function useRouteRowActions(project: string, vpc: string, router: Router): ActionsOf<Route> {
  const whyNotAllowed = useWhyNotNetworks(project)
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
              Delete route <strong>{name}</strong>? Its traffic will follow the remaining routes.
            </p>
          ),
          kind: 'danger',
          pendingLabel: 'Removing',
          errorTitle: 'Could not remove route',
          success: 'Route deleted',
          isPlanned: true,
          run: (_isForGood, send) => remove.run({ path: { route: id } }, send),
        }),
    },
  ]
}
