import { createFileRoute, Outlet } from '@tanstack/react-router'
import { receiverSearch, receiverTabOf } from '#/features/alerts/links.ts'
import { deliveryView, receiverDeliveries, receiverView } from '#/features/alerts/queries.ts'
import { ReceiverPage } from '#/features/alerts/ReceiverPage.tsx'
import { loadList } from '#/features/common/load-list.ts'

export const Route = createFileRoute('/_console/system/alerts/$receiver')({
  validateSearch: receiverSearch,
  loader: async ({ params: { receiver }, ...visit }) => {
    const search = receiverSearch(visit.location.search)
    const view = visit.context.prefetch(
      receiverView(receiver),
      ...(search.delivery ? [deliveryView(search.delivery)] : []),
    )
    if (receiverTabOf(search.tab) !== 'deliveries') return view
    await Promise.all([view, loadList(visit, receiverDeliveries(receiver, search.state))])
  },
  staticData: {
    crumb: [
      { label: 'Alerts', to: '/system/alerts' },
      { param: 'receiver', to: '/system/alerts/$receiver' },
    ],
  },
  component: AlertReceiver,
})

function AlertReceiver() {
  const { receiver } = Route.useParams()
  return (
    <>
      <ReceiverPage receiver={receiver} search={Route.useSearch()} />
      <Outlet />
    </>
  )
}
