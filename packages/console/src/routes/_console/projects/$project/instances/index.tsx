import { createFileRoute } from '@tanstack/react-router'
import Server from 'lucide-react/icons/server'
import { useMemo, useState } from 'react'
import { sortWord } from '#/kit/list/find.ts'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { useFind } from '#/kit/list/use-find.ts'
import { useSelection } from '#/kit/list/use-selection.ts'
import { ListPage, NewLink } from '#/kit/list/ListPage.tsx'
import { useIsColumnChosen } from '#/kit/list/use-column-choices.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { RefreshData } from '#/kit/list/RefreshData.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { findSearch, pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { useListPalette } from '#/kit/page/palette-items.ts'
import { useCurrentUser } from '#/data/current-user.ts'
import { detailColumns } from '#/features/found-list/detail-columns.tsx'
import { BulkRuns } from '#/features/instances/bulk/BulkRuns.tsx'
import { InstanceDocs } from '#/features/instances/parts.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { listPolling } from '#/features/instances/polling.ts'
import { foundInstances, useCanFind } from '#/features/instances/list/found-instances.ts'
import { instanceColumns } from '#/features/instances/list/instance-columns.tsx'
import { InstanceToolbar } from '#/features/instances/list/InstanceToolbar.tsx'
import { instancesIn } from '#/features/instances/queries.ts'
import { menuOf, useInstanceActions } from '#/features/instances/use-instance-actions.tsx'
import { PastLink } from '#/features/past/PastLink.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { buttonClass } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

export const Route = createFileRoute('/_console/projects/$project/instances/')({
  validateSearch: findSearch,
  loaderDeps: ({ search: { page: _page, view: _view, ...find } }) => find,
  loader: async ({ context, params: { project }, deps, location }) => {
    const isFinding = Object.keys(deps).length > 0
    const list = isFinding ? foundInstances(project, deps) : instancesIn(project)
    await context.prefetch(list.at(pageSearch(location.search).page))
    return list
  },
  component: Instances,
})

const none: readonly never[] = []
const HidingTerms = lazyPart(() => import('#/kit/list/filter/Totals.tsx'), 'HidingTerms')
const CpuUseReader = lazyPart(() => import('#/features/instances/list/CpuUse.tsx'), 'CpuUseReader')

function Instances() {
  const { project } = Route.useParams()
  const [poll] = useState(() => listPolling())
  const list = useListPage(Route.useLoaderData(), { poll })
  const { rows } = list
  const selection = useSelection(rows)
  const { search, find } = useFind()
  const { page: _page, view: _view, sort, ...filters } = search
  const isFiltered = Object.keys(filters).length > 0
  const canFind = useCanFind(project)
  const isCpuShown = useIsColumnChosen(list.id, 'cpu-use')
  const cpuRows = (isCpuShown && rows) || none
  const { fleetViewer } = useCurrentUser()
  const columns = useMemo(
    () => [
      ...instanceColumns({
        project,
        selection,
        sort,
        cpuRows,
        onSort: canFind ? (wanted) => find({ sort: sortWord(wanted) }) : undefined,
      }),
      ...(canFind ? detailColumns('instance', rows ?? none, fleetViewer) : []),
    ],
    [project, selection, sort, canFind, find, cpuRows, rows, fleetViewer],
  )
  const { actionsOf, dialog } = useInstanceActions(project, { linksToInstance: true })
  const whyNotAllowed = useWhyNotInProject(project)
  const hasExtensions = useHasExtensions()
  const createLink = { to: '/projects/$project/instances-new', params: { project } } as const

  useListPalette({
    kind: 'instance',
    icon: Server,
    create: whyNotAllowed ? undefined : { label: 'New instance', link: createLink },
    rows,
    rowEntry: ({ name, runState }) => ({
      label: name,
      hint: sentenceCase(runState),
      link: instanceLink(project, name),
    }),
  })

  return (
    <ListPage
      title="Instances"
      docs={<InstanceDocs />}
      actions={
        <>
          <RefreshData updatedAt={list.updatedAt} isRefreshing={list.isRefreshing} onRefresh={list.refresh} />
          <PastLink project={project} kind="instance" />
          {hasExtensions && (
            <PageLink
              to="/projects/$project/instances-import"
              params={{ project }}
              className={buttonClass({ kind: 'default' })}
            >
              Import
            </PageLink>
          )}
          <NewLink link={createLink} disabled={whyNotAllowed}>
            <span>
              New<span className="max-sm:sr-only"> instance</span>
            </span>
          </NewLink>
        </>
      }
    >
      {(isFiltered || (rows && rows.length > 0)) && (
        <InstanceToolbar project={project} selection={selection} rows={rows ?? none} canFind={canFind} />
      )}
      <ResourceTable
        label="Instances"
        steady
        list={list}
        columns={columns}
        actions={(instance) => menuOf(actionsOf(instance))}
        empty={
          isFiltered ? (
            <NothingMatches>{canFind && <HidingTerms kind="instance" place={{ project }} />}</NothingMatches>
          ) : (
            <EmptyState
              title="No instances"
              action={
                <NewLink kind="default" link={createLink} disabled={whyNotAllowed}>
                  New instance
                </NewLink>
              }
            >
              Instances are virtual machines. Create one to see it here.
            </EmptyState>
          )
        }
      />
      {isCpuShown && <CpuUseReader project={project} rows={cpuRows} />}
      <BulkRuns project={project} />
      {dialog}
    </ListPage>
  )
}
