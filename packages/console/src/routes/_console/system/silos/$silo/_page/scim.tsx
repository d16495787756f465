import { createFileRoute } from '@tanstack/react-router'
import { useSuspenseQuery } from '@tanstack/react-query'
import { siloView } from '#/features/silos/queries.ts'
import { ScimTokens } from '#/features/silos/scim/ScimTokens.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/scim')({
  staticData: { crumb: { label: 'SCIM', to: '/system/silos/$silo/scim' } },
  component: Tab,
})

function Tab() {
  const { data: silo } = useSuspenseQuery(siloView(Route.useParams().silo))
  return <ScimTokens silo={silo} />
}
