import { createFileRoute } from '@tanstack/react-router'
import { siloView } from '#/features/silos/queries.ts'

export const Route = createFileRoute('/_console/system/silos/$silo')({
  loader: ({ context, params }) => context.prefetch(siloView(params.silo)),
  staticData: {
    crumb: [
      { label: 'Silos', to: '/system/silos' },
      { param: 'silo', to: '/system/silos/$silo/idps' },
    ],
  },
})
