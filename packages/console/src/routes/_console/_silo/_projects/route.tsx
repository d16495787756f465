import { op } from '@gantry/api/client/operations.gen'
import type { OutputOf } from '@gantry/api/client/client'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { LayoutGrid, Pencil } from 'lucide-react'
import { useWhyNot } from '../../../../data/permissions.ts'
import { useOp } from '../../../../data/use-op.ts'
import { createdColumn, descriptionColumn, nameColumn } from '../../../../features/common/columns.tsx'
import { confirmDelete } from '../../../../features/common/confirm.tsx'
import { DocsPopover } from '../../../../features/common/DocsPopover.tsx'
import { ListPage, NewLink } from '../../../../features/common/ListPage.tsx'
import { usePaletteItems } from '../../../../features/common/palette-items.ts'
import { ResourceTable, type RowAction } from '../../../../features/common/ResourceTable.tsx'
import { pageSearch, useListPage } from '../../../../features/common/use-list-page.ts'
import { projectPaths, projectsList } from '../../../../features/projects/queries.ts'
import { EmptyState } from '../../../../ui/EmptyState.tsx'

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
  const whyNoCreate = useWhyNot({ action: 'create_child', object: 'silo' })
  const remove = useOp(op.projectDelete, { refreshes: [op.projectList] })

  usePaletteItems([
    ...(whyNoCreate ? [] : [{ label: 'New project', to: projectPaths.create }]),
    ...(list.rows ?? []).map(({ name }) => ({
      label: name,
      group: 'Go to project',
      icon: LayoutGrid,
      to: projectPaths.instances(name),
    })),
  ])

  const actions = ({ name }: Project): RowAction[] => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      to: projectPaths.edit(name),
      over: true,
    },
    {
      label: 'Delete',
      onSelect: () =>
        confirmDelete({ kind: 'project', name, run: () => remove.run({ path: { project: name } }) }),
    },
  ]

  return (
    <ListPage
      title="Projects"
      docs={
        <DocsPopover topic="projects">
          A project holds what belongs together: instances, disks, networks and who may use them. Names are
          unique within their project, and quotas count over all projects of the silo.
        </DocsPopover>
      }
      actions={
        <NewLink to={projectPaths.create} disabled={whyNoCreate}>
          New Project
        </NewLink>
      }
    >
      <ResourceTable
        label="Projects"
        list={list}
        columns={columns}
        actions={actions}
        empty={
          <EmptyState
            title="No projects"
            action={
              <NewLink kind="default" to={projectPaths.create} disabled={whyNoCreate}>
                New project
              </NewLink>
            }
          >
            A project holds instances, disks and networks. Create one to start.
          </EmptyState>
        }
      />
      <Outlet />
    </ListPage>
  )
}
