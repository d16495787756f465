import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotInSilo, useWhyNotSiloImages } from '#/data/permissions.ts'
import { texts } from '#/kit/list/use-list-page.ts'
import { loadBin } from '#/features/recycle-bin/queries.ts'
import { RecycleBinPage } from '#/features/recycle-bin/RecycleBinPage.tsx'

export const Route = createFileRoute('/_console/_silo/recycle-bin')({
  validateSearch: texts('page', 'object'),
  loader: (visit) => loadBin(visit),
  staticData: { crumb: { label: 'Recycle bin', to: '/recycle-bin' } },
  component: SiloBin,
})

function SiloBin() {
  return (
    <RecycleBinPage
      object={Route.useSearch().object}
      whyNot={useWhyNotSiloImages()}
      whyNotAll={useWhyNotInSilo()}
    />
  )
}
