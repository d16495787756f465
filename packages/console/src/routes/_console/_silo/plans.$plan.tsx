import { createFileRoute } from '@tanstack/react-router'
import { savedPlanView } from '#/features/saved-plans/queries.ts'
import { SavedPlanPage } from '#/features/saved-plans/page.ts'

export const Route = createFileRoute('/_console/_silo/plans/$plan')({
  loader: ({ context, params: { plan } }) => context.prefetch(savedPlanView(plan)),
  staticData: { crumb: { label: 'Plan', to: '/plans/$plan' } },
  component: Plan,
})

function Plan() {
  return <SavedPlanPage id={Route.useParams().plan} />
}
