import { createFileRoute } from '@tanstack/react-router'
import { FourEyes, FourEyesText } from '#/features/saved-plans/FourEyes.tsx'
import { fourEyesSettings, savedPlans } from '#/features/saved-plans/queries.ts'
import { SavedPlansPage } from '#/features/saved-plans/SavedPlansPage.tsx'

export const Route = createFileRoute('/_console/_silo/plans/')({
  loader: ({ context }) => Promise.all([context.prefetch(savedPlans()), context.prefetch(fourEyesSettings)]),
  staticData: { crumb: { label: 'Plans', to: '/plans' } },
  component: SiloPlans,
})

function SiloPlans() {
  return (
    <SavedPlansPage actions={<FourEyes />}>
      <FourEyesText />
    </SavedPlansPage>
  )
}
