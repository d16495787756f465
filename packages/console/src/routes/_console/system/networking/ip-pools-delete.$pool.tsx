import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DeletionPage } from '#/features/deletion/page.ts'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import { poolView } from '#/features/system-ip-pools/queries.ts'

/** Beside the page of the pool, whose forms open over it. */
export const Route = createFileRoute('/_console/system/networking/ip-pools-delete/$pool')({
  loader: ({ context, params }) => context.prefetch(poolView(params.pool)),
  staticData: {
    crumb: [
      { label: 'IP Pools', to: '/system/networking/ip-pools' },
      { param: 'pool', to: '/system/networking/ip-pools/$pool' },
      { label: 'Delete', to: '/system/networking/ip-pools-delete/$pool' },
    ],
  },
  component: DeletePool,
})

function DeletePool() {
  const { pool } = Route.useParams()
  const { data: object } = useSuspenseQuery(poolView(pool))
  return (
    <DeletionPage
      kind="ip-pool"
      noun="IP pool"
      object={object}
      cancelTo={poolLink(pool)}
      goneTo={{ to: '/system/networking/ip-pools' }}
      linkOf={(kind) => (kind === 'external-ip' ? poolLink(pool, 'addresses') : undefined)}
    />
  )
}
