import { createFileRoute, Outlet } from '@tanstack/react-router'
import { projectPaths, projectView } from '../../../../features/projects/queries.ts'
import { ProjectLayout } from '../../../../shell/Layouts.tsx'

export const Route = createFileRoute('/_console/projects/$project')({
  loader: ({ context, params }) => context.prefetch(projectView(params.project)),
  staticData: {
    crumb: ({ project = '' }) => [
      { label: 'Projects', path: projectPaths.list },
      { label: project, path: projectPaths.instances(project) },
    ],
  },
  component: Project,
})

function Project() {
  return (
    <ProjectLayout project={Route.useParams().project}>
      <Outlet />
    </ProjectLayout>
  )
}
