import * as op from '@gantry/api/client/operations.gen'
import type { OutputOf } from '@gantry/api/client/client'
import { covers, isGlob } from '@gantry/api/system/alert.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import CircleMinus from 'lucide-react/icons/circle-minus'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { CreateLink } from '#/kit/list/ResourceList.tsx'
import { NewLink } from '#/kit/list/ListPage.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { Table } from '#/ui/data/Table.tsx'
import { PlacesSection } from './PlacesSection.tsx'
import { allAlertClasses, type Receiver } from './queries.ts'

type AlertClass = OutputOf<'alertClassList'>['items'][number]

/** Classes that a pattern shows by name; of activity there are hundreds. */
const listedMax = 12

const columnsOf = (classes: readonly AlertClass[]): Column<string>[] => [
  {
    id: 'subscription',
    header: 'Subscription',
    cell: (subscription) => (
      <span className="font-mono text-[0.8125rem] font-medium wrap-anywhere text-strong">{subscription}</span>
    ),
  },
  {
    id: 'classes',
    header: 'Matches',
    part: 'line',
    cell: (subscription) => {
      const matched = classes.filter(({ name }) => covers(subscription, name))
      if (matched.length === 0) return <span className="text-muted">No class yet</span>
      if (!isGlob(subscription)) return matched[0]?.description
      return (
        <ul>
          {matched.slice(0, listedMax).map(({ name }) => (
            <li key={name} className="font-mono text-[0.8125rem] wrap-anywhere">
              {name}
            </li>
          ))}
          {matched.length > listedMax && (
            <li className="text-muted">and {formatNumber(matched.length - listedMax)} more</li>
          )}
        </ul>
      )
    },
  },
]

/** The classes and patterns that a receiver is subscribed to. */
export function SubscriptionsTab({ receiver: { name, subscriptions } }: { receiver: Receiver }) {
  const whyNot = useWhyNotOnFleet()
  const { data: classes } = useSuspenseQuery(allAlertClasses)
  const remove = useOp(op.alertReceiverSubscriptionRemove)
  const link = { to: '/system/alerts/$receiver/subscriptions-add', params: { receiver: name } } as const
  return (
    <>
      <TabHead
        actions={<CreateLink kind="subscription" create={{ link, label: 'Add subscription', whyNot }} />}
      >
        Alerts of these classes are delivered here.
      </TabHead>
      <Table
        label="Subscriptions"
        columns={columnsOf(classes)}
        rows={subscriptions}
        rowKey={(subscription) => subscription}
        actions={(subscription) =>
          rowMenu(subscription, 'Copy subscription', [
            {
              label: 'Remove',
              icon: <CircleMinus aria-hidden strokeWidth={1.75} />,
              disabled: whyNot,
              onSelect: () =>
                confirmRemoval(subscription, () => remove.run({ path: { receiver: name, subscription } })),
            },
          ])
        }
        empty={
          <EmptyState
            title="No subscriptions"
            action={
              <NewLink kind="default" link={link} disabled={whyNot}>
                Add subscription
              </NewLink>
            }
          >
            This receiver gets no alerts until you add a subscription
          </EmptyState>
        }
      />
      <PlacesSection receiver={name} />
    </>
  )
}

function confirmRemoval(subscription: string, run: () => Promise<unknown>): void {
  const text = <strong className="font-mono">{subscription}</strong>
  confirmAction({
    title: 'Confirm remove subscription',
    content: (
      <>
        <p>Remove the subscription {text}? The receiver gets no more of its alerts.</p>
        {!isGlob(subscription) && (
          <p>Patterns of this receiver stop covering the class too, until you add the pattern again.</p>
        )}
      </>
    ),
    kind: 'danger',
    pendingLabel: 'Removing',
    errorTitle: 'Could not remove subscription',
    success: <>Subscription {text} removed</>,
    run,
  })
}
