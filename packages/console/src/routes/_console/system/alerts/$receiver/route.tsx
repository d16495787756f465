import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { fleetScope } from '#/features/activity/fleet-scope.ts'
import { ActivityTab } from '#/features/activity/tab.ts'
import { AlertDocs } from '#/features/alerts/parts.tsx'
import { DeliveriesTab } from '#/features/alerts/DeliveriesTab.tsx'
import { receiverLink, receiverSearch, type ReceiverSearch, receiverTabOf } from '#/features/alerts/links.ts'
import {
  allAlertClasses,
  deliveryView,
  type Receiver,
  receiverDeliveries,
  receiverView,
} from '#/features/alerts/queries.ts'
import { SecretsTab } from '#/features/alerts/SecretsTab.tsx'
import { SubscriptionsTab } from '#/features/alerts/SubscriptionsTab.tsx'
import { useReceiverActions } from '#/features/alerts/use-receiver-actions.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { Button } from '#/ui/Button.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { ObjectActions } from '#/kit/page/ObjectActions.tsx'

export const Route = createFileRoute('/_console/system/alerts/$receiver')({
  validateSearch: receiverSearch,
  loader: async ({ params: { receiver }, ...visit }) => {
    const search = receiverSearch(visit.location.search)
    const tab = receiverTabOf(search.tab)
    await Promise.all([
      visit.context.prefetch(receiverView(receiver)),
      ...(search.delivery ? [visit.context.tryPrefetch(deliveryView(search.delivery))] : []),
      ...(tab === 'deliveries' ? [loadList(visit, receiverDeliveries(receiver, search.state))] : []),
      ...(tab === 'subscriptions' ? [visit.context.prefetch(allAlertClasses)] : []),
    ])
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

const ProbeDialog = lazyPart(() => import('#/features/alerts/ProbeDialog.tsx'), 'ProbeDialog')

const tabsOf = (receiver: string) =>
  [
    { id: 'deliveries', label: 'Deliveries', link: receiverLink(receiver) },
    { id: 'subscriptions', label: 'Subscriptions', link: receiverLink(receiver, 'subscriptions') },
    { id: 'secrets', label: 'Secrets', link: receiverLink(receiver, 'secrets') },
    { id: 'activity', label: 'Activity', link: receiverLink(receiver, 'activity'), isExtension: true },
  ] as const

/** One receiver: its endpoint, deliveries, subscriptions and secrets. */
function ReceiverPage({ receiver: name, search }: { receiver: string; search: ReceiverSearch }) {
  const { data: receiver, onDelete } = useViewed(receiverView(name), { to: '/system/alerts' })
  const actions = useReceiverActions({ onDelete })
  const [isTesting, setTesting] = useState(false)
  const tab = receiverTabOf(search.tab)
  return (
    <>
      <PageHead
        title={receiver.name}
        docs={<AlertDocs />}
        actions={
          <>
            <Button onClick={() => setTesting(true)}>Send test</Button>
            <ObjectActions
              title={receiver.name}
              label="Alert receiver actions"
              entries={() => actionMenu(actions(receiver))}
            />
          </>
        }
      />
      <Plate receiver={receiver} />
      <div className="mt-4">
        <RouteTabs label="Alert receiver" tabs={tabsOf(name)} current={tab}>
          {tab === 'deliveries' && <DeliveriesTab receiver={name} search={search} />}
          {tab === 'subscriptions' && <SubscriptionsTab receiver={receiver} />}
          {tab === 'secrets' && <SecretsTab receiver={receiver} />}
          {tab === 'activity' && (
            <ActivityTab scope={{ ...fleetScope, object: receiver.id }} search={search} />
          )}
        </RouteTabs>
      </div>
      {isTesting && <ProbeDialog receiver={name} onClose={() => setTesting(false)} />}
    </>
  )
}

function Plate({ receiver }: { receiver: Receiver }) {
  return (
    <DataPlate summary={receiver.description || receiver.kind.endpoint}>
      <DataItem label="Endpoint" wide>
        <code className="font-mono text-[0.8125rem]">{receiver.kind.endpoint}</code>
      </DataItem>
      <DescriptionItem description={receiver.description} />
      <DataItem label="ID">
        <CopyableId id={receiver.id} max={24} />
      </DataItem>
      <TimeItems of={receiver} changed="Updated" />
    </DataPlate>
  )
}
