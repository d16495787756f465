import { createFileRoute } from '@tanstack/react-router'
import { savedPlans } from '#/features/saved-plans/queries.ts'
import { SavedPlansPage } from '#/features/saved-plans/SavedPlansPage.tsx'

export const Route = createFileRoute('/_console/projects/$project/plans')({
  loader: ({ context, params: { project } }) => context.prefetch(savedPlans(project)),
  staticData: { crumb: { label: 'Plans', to: '/projects/$project/plans' } },
  component: ProjectPlans,
})

function ProjectPlans() {
  return <SavedPlansPage project={Route.useParams().project} />
}
