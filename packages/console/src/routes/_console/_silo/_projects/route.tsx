import type { OutputOf } from '@gantry/api/client/client'
import { createFileRoute } from '@tanstack/react-router'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import { useWhyNot } from '../../../../data/permissions.ts'
import { createdColumn, descriptionColumn, nameColumn } from '../../../../features/common/columns.tsx'
import { DocsPopover } from '../../../../features/common/DocsPopover.tsx'
import { usePaletteItems } from '../../../../features/common/palette-items.ts'
import { ResourceList } from '../../../../features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '../../../../features/common/use-list-page.ts'
import { projectPaths, projectsList } from '../../../../features/projects/queries.ts'
import { useProjectRowActions } from '../../../../features/projects/use-project-row-actions.tsx'

export const Route = createFileRoute('/_console/_silo/_projects')({
  validateSearch: pageSearch,
  loader: ({ context, location }) => context.prefetch(projectsList.at(pageSearch(location.search).page)),
  staticData: { crumb: { label: 'Projects', path: projectPaths.list } },
  component: Projects,
})

type Project = OutputOf<'projectView'>

const columns = [
  nameColumn<Project>(({ name }) => projectPaths.instances(name)),
  descriptionColumn<Project>(),
  createdColumn<Project>(),
]

function Projects() {
  const list = useListPage(projectsList)
  const actions = useProjectRowActions(list.rows ?? [])
  const whyNoCreate = useWhyNot({ action: 'create_child', object: 'silo' })

  usePaletteItems([
    ...(whyNoCreate ? [] : [{ label: 'New project', to: projectPaths.create }]),
    ...(list.rows ?? []).map(({ name }) => ({
      label: name,
      group: 'Go to project',
      icon: LayoutGrid,
      to: projectPaths.instances(name),
    })),
  ])

  return (
    <ResourceList
      title="Projects"
      docs={
        <DocsPopover topic="projects">
          A project groups related instances, disks and networks, and controls who may use them. Names are
          unique within a project. Quotas apply to all projects in the silo together.
        </DocsPopover>
      }
      create={{
        to: projectPaths.create,
        label: 'New Project',
        emptyLabel: 'New project',
        whyNot: whyNoCreate,
      }}
      empty={{
        title: 'No projects',
        text: 'Projects hold instances, disks and networks. Create one to get started.',
      }}
      list={list}
      columns={columns}
      actions={actions}
    />
  )
}
