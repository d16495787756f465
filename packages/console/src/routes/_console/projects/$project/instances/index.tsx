import { createFileRoute } from '@tanstack/react-router'
import { Server } from 'lucide-react'
import { useMemo, useState } from 'react'
import { createdColumn, nameColumn } from '../../../../../features/common/columns.tsx'
import { ListPage, NewLink } from '../../../../../features/common/ListPage.tsx'
import { usePaletteItems } from '../../../../../features/common/palette-items.ts'
import { RefreshData } from '../../../../../features/common/RefreshData.tsx'
import { ResourceTable } from '../../../../../features/common/ResourceTable.tsx'
import { pageSearch, useListPage } from '../../../../../features/common/use-list-page.ts'
import { InstanceDocs } from '../../../../../features/instances/InstanceDocs.tsx'
import { InstanceState } from '../../../../../features/instances/InstanceState.tsx'
import { listPolling } from '../../../../../features/instances/polling.ts'
import { type Instance, instancePaths, instancesIn } from '../../../../../features/instances/queries.ts'
import { menuOf, useInstanceActions } from '../../../../../features/instances/use-instance-actions.tsx'
import { EmptyState } from '../../../../../ui/EmptyState.tsx'
import { Figure, Size } from '../../../../../ui/Figures.tsx'
import { formatNumber, plural, sentenceCase } from '../../../../../ui/format.ts'
import type { Column } from '../../../../../ui/Table.tsx'

export const Route = createFileRoute('/_console/projects/$project/instances/')({
  validateSearch: pageSearch,
  loader: ({ context, params, location }) =>
    context.prefetch(instancesIn(params.project).at(pageSearch(location.search).page)),
  component: Instances,
})

const columnsIn = (project: string): Column<Instance>[] => [
  nameColumn<Instance>(({ name }) => instancePaths.storage(project, name)),
  {
    id: 'cpu',
    header: 'CPU',
    align: 'right',
    cell: ({ ncpus }) => <Figure value={formatNumber(ncpus)} unit={plural('vCPU', ncpus)} />,
  },
  { id: 'memory', header: 'Memory', align: 'right', cell: ({ memory }) => <Size bytes={memory} /> },
  { id: 'state', header: 'State', part: 'state', cell: (instance) => <InstanceState instance={instance} /> },
  createdColumn<Instance>(),
]

function Instances() {
  const { project } = Route.useParams()
  // One for as long as the page is there, because it remembers what it has seen.
  const [poll] = useState(() => listPolling())
  const columns = useMemo(() => columnsIn(project), [project])
  const list = useListPage(instancesIn(project), { poll })
  const { actionsOf, dialog, whyNotAllowed } = useInstanceActions(project, { linksToInstance: true })
  const createTo = instancePaths.create(project)

  usePaletteItems([
    ...(whyNotAllowed ? [] : [{ label: 'New instance', to: createTo }]),
    ...(list.rows ?? []).map(({ name, runState }) => ({
      label: name,
      group: 'Go to instance',
      icon: Server,
      hint: sentenceCase(runState),
      to: instancePaths.storage(project, name),
    })),
  ])

  return (
    <ListPage
      title="Instances"
      docs={<InstanceDocs />}
      actions={
        <>
          <RefreshData updatedAt={list.updatedAt} isRefreshing={list.isRefreshing} onRefresh={list.refresh} />
          <NewLink to={createTo} disabled={whyNotAllowed}>
            New Instance
          </NewLink>
        </>
      }
    >
      <ResourceTable
        label="Instances"
        list={list}
        columns={columns}
        actions={(instance) => menuOf(actionsOf(instance))}
        empty={
          <EmptyState
            title="No instances"
            action={
              <NewLink kind="default" to={createTo} disabled={whyNotAllowed}>
                New instance
              </NewLink>
            }
          >
            Instances are virtual machines. Create one to see it here.
          </EmptyState>
        }
      />
      {dialog}
    </ListPage>
  )
}
