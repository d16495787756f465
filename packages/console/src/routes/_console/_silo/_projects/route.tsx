import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Pencil from 'lucide-react/icons/pencil'
import type { ReactNode } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { Failure } from '#/data/failure.ts'
import { useWhyNotEach, useWhyNotInSilo } from '#/data/permissions.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { confirmRecycling } from '#/kit/feedback/confirm.tsx'
import { useDeletion } from '#/kit/feedback/use-deletion.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { CreateLink, ResourceList } from '#/kit/list/ResourceList.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { IdentityProviderNotice } from '#/kit/page/SectionError.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { usePlannedDelete } from '#/features/deletion/use-planned-delete.ts'
import { starColumn } from '#/features/favourites/parts.tsx'
import { useFound } from '#/features/found-list/use-found.tsx'
import { Home } from '#/features/home/parts.tsx'
import { deleteProject } from '#/features/projects/delete-project.ts'
import { projectLink } from '#/features/projects/links.ts'
import { foundProjects } from '#/features/projects/queries.ts'
import { protectedName } from '#/features/protection/protected-name.tsx'
import { useProtections } from '#/features/protection/use-protections.tsx'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_console/_silo/_projects')({
  validateSearch: findSearch,
  loader: (visit) =>
    loadList(visit, foundProjects(findSearch(visit.location.search))).catch(toleratesForbidden),
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
  taggedName('project', protectedName(nameColumn<Project>(({ name }) => projectLink(name)))),
  starColumn<Project>('project'),
  descriptionColumn<Project>(),
  createdColumn<Project>(),
]

const docs = (
  <DocsPopover topic="projects" page="places#projects">
    A project groups related instances, disks and networks, and controls who may use them. Names are unique
    within a project. Quotas apply to all projects in the silo together.
  </DocsPopover>
)

const everywhere = {}

function Projects() {
  const query = foundProjects(Route.useSearch())
  const list = useListPage(query)
  const { columns: shown, find } = useFound({
    kind: 'project',
    pluralNoun: 'projects',
    place: everywhere,
    list: query,
    rows: list.rows,
    columns,
  })
  const { actions, dialog } = useProjectRowActions(list.rows ?? [])
  const create = {
    link: { to: '/projects-new' },
    whyNot: useWhyNotInSilo(),
  } as const
  const isRefused = !list.rows && isForbidden(list.failure)
  return (
    <div className="gap-6 xl:grid xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0">
        {isRefused ? (
          <ListPage title="Projects" docs={docs} actions={<CreateLink kind="project" create={create} />}>
            <NoRole />
          </ListPage>
        ) : (
          <ResourceList
            kind="project"
            icon={LayoutGrid}
            title="Projects"
            docs={docs}
            list={list}
            columns={shown}
            find={find}
            actions={actions}
            rowEntry={({ name }) => ({ label: name, link: projectLink(name) })}
            create={create}
            empty={{
              title: 'No projects',
              text: 'Projects hold instances, disks and networks. Create one to get started.',
            }}
          >
            {dialog}
          </ResourceList>
        )}
      </div>
      <Home />
    </div>
  )
}

/** The actions of a row. Render `dialog` on the page. */
function useProjectRowActions(rows: readonly Project[]): {
  actions: ActionsOf<Project>
  dialog: ReactNode
} {
  const whyNot = useWhyNotEach(rows, ({ id }) => ({ action: 'modify', object: 'project', id }))
  const remove = useDeletion(op.projectDelete, 'project')
  const protections = useProtections('project')
  const deletePlanned = usePlannedDelete()
  const actions: ActionsOf<Project> = (project) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      link: { to: '/projects/$project/edit', params: { project: project.name } },
      over: true,
      disabled: whyNot(project),
    },
    ...tagActions('project', project, whyNot(project)),
    ...protections.actionsFor(project, whyNot(project)),
    {
      label: 'Delete',
      disabled: whyNot(project) ?? protections.whyNot(project.id, 'delete'),
      onSelect: () =>
        void deletePlanned({
          kind: 'project',
          id: project.id,
          page: { to: '/projects/$project/delete', params: { project: project.name } },
          ask: () =>
            confirmRecycling({
              kind: 'project',
              name: project.name,
              gone: 'It is gone for good then.',
              besides: 'It must be empty. Its default network is deleted with it.',
              run: (isForGood, send) =>
                deleteProject(project.name, () =>
                  remove(project, { path: { project: project.name } }, isForGood, send),
                ),
            }),
        }),
    },
  ]
  return { actions, dialog: protections.dialog }
}

/** Shown instead of the projects to users who may not list them: what is missing, and who can grant it. */
function NoRole() {
  const { siloName } = useCurrentUser()
  return (
    <>
      <IdentityProviderNotice className="mb-4" />
      <EmptyState title="No projects to show">
        You have no role on silo {siloName}, which its list of projects requires. Ask an administrator of the
        silo for a role, or for the link to a project on which you have one.
      </EmptyState>
    </>
  )
}
