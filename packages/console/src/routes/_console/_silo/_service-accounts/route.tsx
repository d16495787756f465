import { createFileRoute } from '@tanstack/react-router'
import { AccountList } from '#/features/service-accounts/AccountList.tsx'
import { accountsIn } from '#/features/service-accounts/queries.ts'
import { pageSearch } from '#/kit/list/use-list-page.ts'
import { loadList } from '#/kit/page/loaders.ts'

export const Route = createFileRoute('/_console/_silo/_service-accounts')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, accountsIn(undefined)),
  staticData: { crumb: { label: 'Service accounts', to: '/service-accounts' } },
  component: Accounts,
})

function Accounts() {
  return <AccountList />
}
