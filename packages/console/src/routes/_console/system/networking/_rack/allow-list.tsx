import { createFileRoute } from '@tanstack/react-router'
import { AllowListPage } from '#/features/rack-network/AllowListPage.tsx'
import { allowList, inboundIcmp } from '#/features/rack-network/queries.ts'

export const Route = createFileRoute('/_console/system/networking/_rack/allow-list')({
  loader: ({ context }) => context.prefetch(allowList, inboundIcmp),
  staticData: { crumb: { label: 'Allow list', to: '/system/networking/allow-list' } },
  component: AllowListPage,
})
