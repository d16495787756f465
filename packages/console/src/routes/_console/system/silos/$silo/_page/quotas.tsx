import { createFileRoute } from '@tanstack/react-router'
import { siloQuotas, siloUtilization } from '#/features/silos/queries.ts'
import { QuotasCard } from '#/features/silos/tabs/QuotasCard.tsx'

export const Route = createFileRoute('/_console/system/silos/$silo/_page/quotas')({
  loader: ({ context, params }) => context.prefetch(siloUtilization(params.silo), siloQuotas(params.silo)),
  staticData: { crumb: { label: 'Quotas', to: '/system/silos/$silo/quotas' } },
  component: () => <QuotasCard silo={Route.useParams().silo} />,
})
