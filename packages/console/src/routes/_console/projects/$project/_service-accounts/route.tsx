import { createFileRoute } from '@tanstack/react-router'
import { AccountList } from '#/features/service-accounts/AccountList.tsx'
import { accountsIn } from '#/features/service-accounts/queries.ts'
import { pageSearch } from '#/kit/list/use-list-page.ts'
import { loadList } from '#/kit/page/loaders.ts'

export const Route = createFileRoute('/_console/projects/$project/_service-accounts')({
  validateSearch: pageSearch,
  loader: ({ params: { project }, ...visit }) => loadList(visit, accountsIn(project)),
  staticData: { crumb: { label: 'Service accounts', to: '/projects/$project/service-accounts' } },
  component: Accounts,
})

function Accounts() {
  return <AccountList project={Route.useParams().project} />
}
