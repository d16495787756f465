import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotInProject, useWhyNotNetworks } from '#/data/permissions.ts'
import { texts } from '#/kit/list/use-list-page.ts'
import { loadBin } from '#/features/recycle-bin/queries.ts'
import { RecycleBinPage } from '#/features/recycle-bin/RecycleBinPage.tsx'

export const Route = createFileRoute('/_console/projects/$project/recycle-bin')({
  validateSearch: texts('page', 'object'),
  loader: ({ params: { project }, ...visit }) => loadBin(visit, project),
  staticData: { crumb: { label: 'Recycle bin', to: '/projects/$project/recycle-bin' } },
  component: ProjectBin,
})

function ProjectBin() {
  const { project } = Route.useParams()
  const { object } = Route.useSearch()
  return (
    <RecycleBinPage
      project={project}
      object={object}
      whyNot={useWhyNotInProject(project)}
      whyNotAll={useWhyNotNetworks(project)}
    />
  )
}
