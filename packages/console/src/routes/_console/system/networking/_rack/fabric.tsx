import { createFileRoute } from '@tanstack/react-router'
import { FabricPage } from '#/features/rack-network/FabricPage.tsx'
import { fabricView } from '#/features/rack-network/queries.ts'

export const Route = createFileRoute('/_console/system/networking/_rack/fabric')({
  loader: ({ context }) => context.prefetch(fabricView),
  staticData: { crumb: { label: 'Fabric', to: '/system/networking/fabric' } },
  component: FabricPage,
})
