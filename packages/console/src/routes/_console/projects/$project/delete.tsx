import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DeletionPage } from '#/features/deletion/page.ts'
import { linkInProject } from '#/features/deletion/links.ts'
import { projectView } from '#/features/projects/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/delete')({
  loader: ({ context, params }) => context.prefetch(projectView(params.project)),
  staticData: { crumb: { label: 'Delete', to: '/projects/$project/delete' } },
  component: DeleteProject,
})

function DeleteProject() {
  const { project } = Route.useParams()
  const { data: object } = useSuspenseQuery(projectView(project))
  return (
    <DeletionPage
      kind="project"
      noun="project"
      object={object}
      cancelTo={{ to: '/projects' }}
      goneTo={{ to: '/projects' }}
      linkOf={linkInProject(project)}
    />
  )
}
