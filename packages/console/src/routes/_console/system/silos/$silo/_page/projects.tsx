import { createFileRoute } from '@tanstack/react-router'
import { createdColumn, descriptionColumn, plainNameColumn } from '#/kit/list/columns.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { projectsOf, type SiloProject } from '#/features/silos/queries.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Figure, Memory, Size } from '#/ui/data/Figures.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/projects')({
  validateSearch: pageSearch,
  loader: ({ params: { silo }, ...visit }) => loadList(visit, projectsOf(silo)),
  staticData: { crumb: { label: 'Projects', to: '/system/silos/$silo/projects' } },
  component: Projects,
})

function Projects() {
  const list = useListPage(projectsOf(Route.useParams().silo))
  return (
    <>
      <TabHead>How much each project uses of the quotas of the silo.</TabHead>
      <ResourceTable
        label="Projects"
        list={list}
        columns={projectColumns}
        empty={<EmptyState title="No projects">Users of the silo create its projects.</EmptyState>}
      />
    </>
  )
}

/** The use of each project. */
const projectColumns: Column<SiloProject>[] = [
  plainNameColumn<SiloProject>(),
  descriptionColumn<SiloProject>(),
  {
    id: 'instances',
    header: 'Instances',
    align: 'right',
    isLabelled: true,
    cell: ({ instanceCount }) => <Figure value={instanceCount} />,
  },
  {
    id: 'cpus',
    header: 'CPU',
    align: 'right',
    isLabelled: true,
    cell: ({ provisioned }) => <Figure value={provisioned.cpus} unit="vCPU" />,
  },
  {
    id: 'memory',
    header: 'Memory',
    align: 'right',
    isLabelled: true,
    cell: ({ provisioned }) => <Memory bytes={provisioned.memory} />,
  },
  {
    id: 'storage',
    header: 'Storage',
    align: 'right',
    isLabelled: true,
    cell: ({ provisioned }) => <Size bytes={provisioned.storage} />,
  },
  createdColumn<SiloProject>(),
]
