import { createFileRoute } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { createdColumn, nameColumn } from '../../../../../features/common/columns.tsx'
import type { listPolling } from '../../../../../features/instances/list-polling.ts'
import { ListPage, NewLink } from '../../../../../features/common/ListPage.tsx'
import { useWhyNotInProject } from '../../../../../features/common/project-permission.ts'
import { RefreshData } from '../../../../../features/common/RefreshData.tsx'
import { ResourceTable } from '../../../../../features/common/ResourceTable.tsx'
import { useLateActions } from '../../../../../features/common/use-late-actions.ts'
import {
  findSearch,
  type FindSearch,
  pageSearch,
  useListPage,
} from '../../../../../features/common/use-list-page.ts'
import { InstanceDocs } from '../../../../../features/instances/InstanceDocs.tsx'
import { InstanceState } from '../../../../../features/instances/InstanceState.tsx'
import { type Instance, instancePaths, instancesIn } from '../../../../../features/instances/queries.ts'
import { lazily } from '../../../../../ui/lazily.ts'
import { Figure, Size } from '../../../../../ui/Figures.tsx'
import { formatNumber, plural } from '../../../../../ui/format.ts'
import type { Column } from '../../../../../ui/Table.tsx'

const InstanceTools = lazily(
  () => import('../../../../../features/instances/list/InstanceTools.tsx'),
  'InstanceTools',
)

export const Route = createFileRoute('/_console/projects/$project/instances/')({
  validateSearch: findSearch,
  loaderDeps: ({ search: { page: _page, ...find } }) => find,
  loader: async ({ context, params: { project }, deps, location }) => {
    const list = isFinding(deps) ? await found(project, deps) : instancesIn(project)
    await context.prefetch(list.at(pageSearch(location.search).page))
    return list
  },
  component: Instances,
})

const isFinding = (find: FindSearch): boolean => Object.keys(find).length > 0

/** A list as it comes needs none of this. */
const found = async (project: string, find: FindSearch) =>
  (await import('../../../../../features/instances/list/found-instances.ts')).foundInstances(project, find)

const columnsIn = (project: string): Column<Instance>[] => [
  // Room for the boxes, which come later, so that nothing moves then.
  { id: 'select', header: <span className="sr-only">Select</span>, part: 'select', cell: () => null },
  nameColumn<Instance>(({ name }) => instancePaths.storage(project, name)),
  {
    id: 'cpu',
    header: 'CPU',
    align: 'right',
    width: '12%',
    cell: ({ ncpus }) => <Figure value={formatNumber(ncpus)} unit={plural('vCPU', ncpus)} />,
  },
  {
    id: 'memory',
    header: 'Memory',
    align: 'right',
    width: '12%',
    cell: ({ memory }) => <Size bytes={memory} />,
  },
  // Wide enough for every state, so that nothing moves when one changes.
  {
    id: 'state',
    header: 'State',
    part: 'state',
    width: '24%',
    cell: (instance) => <InstanceState instance={instance} />,
  },
  createdColumn<Instance>(),
]

function Instances() {
  const { project } = Route.useParams()
  const [poll, offerPoll] = useState<ReturnType<typeof listPolling>>()
  const columns = useMemo(() => columnsIn(project), [project])
  const list = useListPage(Route.useLoaderData(), poll && { poll })
  const [furnished, offer] = useState<readonly Column<Instance>[]>(columns)
  const whyNotAllowed = useWhyNotInProject(project)
  const late = useLateActions<Instance>()
  const createTo = instancePaths.create(project)

  return (
    <ListPage
      title="Instances"
      docs={<InstanceDocs />}
      actions={
        <>
          <RefreshData updatedAt={list.updatedAt} isRefreshing={list.isRefreshing} onRefresh={list.refresh} />
          <NewLink to={createTo} disabled={whyNotAllowed}>
            <span>
              New<span className="max-sm:sr-only"> Instance</span>
            </span>
          </NewLink>
        </>
      }
    >
      <div className="mb-3 min-h-control max-md:min-h-19">
        {late.isWanted && list.rows && (
          <Suspense>
            <InstanceTools
              project={project}
              rows={list.rows}
              columns={columns}
              offer={offer}
              offerActions={late.offer}
              offerPoll={offerPoll}
            />
          </Suspense>
        )}
      </div>
      <ResourceTable
        label="Instances"
        list={list}
        columns={furnished}
        actions={late.actions}
        prepareActions={late.prepare}
        // That there is none, or that nothing matches, is said by the tools.
        empty={<></>}
      />
    </ListPage>
  )
}
