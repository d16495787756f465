import { NewLink } from '#/features/common/ListPage.tsx'
import { usePaletteItems } from '#/features/common/palette-items.ts'
import { pollSlowly } from '#/features/common/poll-while.ts'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import { ResourceTable } from '#/features/common/ResourceTable.tsx'
import { useListPage } from '#/features/common/use-list-page.ts'
import { EmptyState } from '#/ui/EmptyState.tsx'
import type { Router } from '../queries.ts'
import { routesIn } from './queries.ts'
import { whyNoMoreRoutes } from './reasons.ts'
import { routeColumns } from './route-columns.tsx'
import { useRouteRowActions } from './use-route-row-actions.tsx'

interface Props {
  project: string
  vpc: string
  router: Router
}

/** The routes of a router. Destinations and targets are names already, so no lookup is needed. */
export function Routes({ project, vpc, router }: Props) {
  const list = useListPage(routesIn(project, vpc, router.name), { poll: pollSlowly })
  const actions = useRouteRowActions(project, vpc, router)
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNoMore = whyNotAllowed ?? whyNoMoreRoutes(router.kind)
  const link = {
    to: '/projects/$project/vpcs/$vpc/routers/$router/routes-new',
    params: { project, vpc, router: router.name },
  } as const

  usePaletteItems(whyNoMore ? [] : [{ label: 'New route', link }])

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
