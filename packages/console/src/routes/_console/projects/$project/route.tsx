import { createFileRoute, Outlet } from '@tanstack/react-router'
import { projectView } from '#/features/projects/queries.ts'
import { ProjectLayout } from '#/shell/Layouts.tsx'

export const Route = createFileRoute('/_console/projects/$project')({
  loader: ({ context, params }) => context.prefetch(projectView(params.project)),
  staticData: {
    crumb: [
      { label: 'Projects', to: '/projects' },
      { param: 'project', to: '/projects/$project/instances' },
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
