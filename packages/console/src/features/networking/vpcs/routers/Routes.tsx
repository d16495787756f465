import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { NewLink } from '../../../common/ListPage.tsx'
import { usePaletteItems } from '../../../common/palette-items.ts'
import { pollLater } from '../../../common/poll-while.ts'
import { useWhyNotInProject } from '../../../common/project-permission.ts'
import { ResourceTable } from '../../../common/ResourceTable.tsx'
import { useListPage } from '../../../common/use-list-page.ts'
import { vpcPaths } from '../paths.ts'
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

/** The routes of a router; destinations and targets are names already, so nothing is looked up for them. */
export function Routes({ project, vpc, router }: Props) {
  const list = useListPage(routesIn(project, vpc, router.name), { poll: pollLater })
  const actions = useRouteRowActions(project, vpc, router)
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNoMore = whyNotAllowed ?? whyNoMoreRoutes(router.kind)
  const createTo = vpcPaths.routeCreate(project, vpc, router.name)

  usePaletteItems(whyNoMore ? [] : [{ label: 'New route', to: createTo }])

  return (
    <section aria-labelledby="routes" className="mt-5">
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 id="routes" className="text-md">
          Routes
        </h2>
        <NewLink to={createTo} disabled={whyNoMore}>
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
                <NewLink kind="default" to={createTo} disabled={whyNoMore}>
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
