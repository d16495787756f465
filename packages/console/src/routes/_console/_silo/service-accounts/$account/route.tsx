import { createFileRoute } from '@tanstack/react-router'
import { withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { AccountPage } from '#/features/service-accounts/AccountPage.tsx'
import { accountView } from '#/features/service-accounts/queries.ts'

export const Route = createFileRoute('/_console/_silo/service-accounts/$account')({
  validateSearch: withActivitySearch,
  loader: ({ context, params }) => context.prefetch(accountView(undefined, params.account)),
  staticData: {
    crumb: [
      { label: 'Service accounts', to: '/service-accounts' },
      { param: 'account', to: '/service-accounts/$account' },
    ],
  },
  component: Account,
})

function Account() {
  return <AccountPage {...Route.useParams()} search={Route.useSearch()} />
}
