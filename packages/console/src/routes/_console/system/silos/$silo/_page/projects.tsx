import { createFileRoute } from '@tanstack/react-router'
import { loadList } from '#/features/common/load-list.ts'
import { ResourceTable } from '#/features/common/ResourceTable.tsx'
import { TabHead } from '#/features/common/TabHead.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { projectsOf } from '#/features/silos/queries.ts'
import { projectColumns } from '#/features/silos/tabs/project-columns.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'

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
