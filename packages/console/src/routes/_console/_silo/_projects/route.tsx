import type { OutputOf } from '@gantry/api/client/client'
import { createFileRoute } from '@tanstack/react-router'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import { Failure } from '#/data/failure.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/features/common/columns.tsx'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { CreateLink } from '#/features/common/KindTable.tsx'
import { ListPage } from '#/features/common/ListPage.tsx'
import { loadList } from '#/features/common/load-list.ts'
import { ResourceList } from '#/features/common/ResourceList.tsx'
import { useWhyNotInSilo } from '#/features/common/silo-permission.ts'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { projectLink } from '#/features/projects/links.ts'
import { NoRole } from '#/features/projects/NoRole.tsx'
import { projectsList } from '#/features/projects/queries.ts'
import { useProjectRowActions } from '#/features/projects/use-project-row-actions.tsx'

export const Route = createFileRoute('/_console/_silo/_projects')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, projectsList).catch(toleratesForbidden),
  staticData: { crumb: { label: 'Projects', to: '/projects' } },
  component: Projects,
})

/** Every user lands here after signing in, including those without a role. */
function toleratesForbidden(error: unknown): void {
  if (!isForbidden(error)) throw error
}

const isForbidden = (error: unknown): boolean => error instanceof Failure && error.statusCode === 403

type Project = OutputOf<'projectView'>

const columns = [
  nameColumn<Project>(({ name }) => projectLink(name)),
  descriptionColumn<Project>(),
  createdColumn<Project>(),
]

const docs = (
  <DocsPopover topic="projects">
    A project groups related instances, disks and networks, and controls who may use them. Names are unique
    within a project. Quotas apply to all projects in the silo together.
  </DocsPopover>
)

function Projects() {
  const list = useListPage(projectsList)
  const actions = useProjectRowActions(list.rows ?? [])
  const create = {
    link: { to: '/projects-new' },
    label: 'New Project',
    emptyLabel: 'New project',
    whyNot: useWhyNotInSilo(),
  } as const
  if (!list.rows && isForbidden(list.failure)) {
    return (
      <ListPage title="Projects" docs={docs} actions={<CreateLink kind="project" create={create} />}>
        <NoRole />
      </ListPage>
    )
  }
  return (
    <ResourceList
      kind="project"
      icon={LayoutGrid}
      title="Projects"
      docs={docs}
      list={list}
      columns={columns}
      actions={actions}
      rowEntry={({ name }) => ({ label: name, link: projectLink(name) })}
      create={create}
      empty={{
        title: 'No projects',
        text: 'Projects hold instances, disks and networks. Create one to get started.',
      }}
    />
  )
}
