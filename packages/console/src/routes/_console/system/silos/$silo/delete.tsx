import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DeletionPage } from '#/features/deletion/page.ts'
import { siloLink } from '#/features/silos/links.ts'
import { siloView } from '#/features/silos/queries.ts'

export const Route = createFileRoute('/_console/system/silos/$silo/delete')({
  loader: ({ context, params }) => context.prefetch(siloView(params.silo)),
  staticData: { crumb: { label: 'Delete', to: '/system/silos/$silo/delete' } },
  component: DeleteSilo,
})

function DeleteSilo() {
  const { silo } = Route.useParams()
  const { data: object } = useSuspenseQuery(siloView(silo))
  return (
    <DeletionPage
      kind="silo"
      noun="silo"
      object={object}
      cancelTo={siloLink(silo)}
      goneTo={{ to: '/system/silos' }}
      linkOf={(kind) => (kind === 'project' ? siloLink(silo, 'projects') : undefined)}
    />
  )
}
