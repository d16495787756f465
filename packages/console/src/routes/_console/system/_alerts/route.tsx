import { createFileRoute } from '@tanstack/react-router'
import BellRing from 'lucide-react/icons/bell-ring'
import { useState } from 'react'
import { useWhyNotInFleet } from '#/data/permissions.ts'
import { receiverLink } from '#/features/alerts/links.ts'
import { AlertDocs, HealthPlate } from '#/features/alerts/parts.tsx'
import { type ReceiverHealth, receiversWithHealth } from '#/features/alerts/queries.ts'
import { useReceiverActions } from '#/features/alerts/use-receiver-actions.tsx'
import { createdColumn, nameColumn } from '#/kit/list/columns.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { buttonClass } from '#/ui/Button.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Tag, TagList } from '#/ui/data/Tag.tsx'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'

const ProbeDialog = lazyPart(() => import('#/features/alerts/ProbeDialog.tsx'), 'ProbeDialog')

export const Route = createFileRoute('/_console/system/_alerts')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, receiversWithHealth),
  staticData: { crumb: { label: 'Alerts', to: '/system/alerts' } },
  component: AlertReceivers,
})

function AlertReceivers() {
  const [tested, setTested] = useState<string>()
  return (
    <>
      <ResourceList
        kind="alert receiver"
        icon={BellRing}
        title="Alerts"
        docs={<AlertDocs />}
        tools={
          <PageLink to="/system/raised-alerts" className={buttonClass()}>
            Raised alerts
          </PageLink>
        }
        list={useListPage(receiversWithHealth)}
        columns={receiverColumns}
        actions={useReceiverActions({ onTest: setTested })}
        rowEntry={({ name }) => ({ label: name, link: receiverLink(name) })}
        create={{
          link: { to: '/system/alerts-new' },
          whyNot: useWhyNotInFleet(),
        }}
        empty={{ title: 'No alert receivers', text: 'Create an alert receiver to see it here' }}
      />
      {tested !== undefined && <ProbeDialog receiver={tested} onClose={() => setTested(undefined)} />}
    </>
  )
}

const countsOf = ({ delivered, failed, dropped, pending }: ReceiverHealth): string =>
  [
    `${formatNumber(delivered)} delivered`,
    `${formatNumber(failed)} failed`,
    ...(dropped > 0 ? [`${formatNumber(dropped)} of them dropped`] : []),
    ...(pending > 0 ? [`${formatNumber(pending)} pending`] : []),
  ].join(', ')

const receiverColumns: Column<ReceiverHealth>[] = [
  nameColumn<ReceiverHealth>(({ name }) => receiverLink(name)),
  {
    id: 'endpoint',
    header: 'Endpoint',
    part: 'line',
    cell: ({ endpoint }) => (
      <span className="font-mono text-[0.8125rem]">
        <Truncate text={endpoint} max={40} />
      </span>
    ),
  },
  {
    id: 'health',
    header: 'Last attempt',
    part: 'state',
    cell: (receiver) => <HealthPlate receiver={receiver} />,
  },
  {
    id: 'counts',
    header: 'Last 7 days',
    part: 'meta',
    cell: (receiver) =>
      Number.isNaN(receiver.delivered) ? (
        <EmptyCell />
      ) : (
        <span className="tabular-nums">{countsOf(receiver)}</span>
      ),
  },
  {
    id: 'subscriptions',
    header: 'Subscriptions',
    isLabelled: true,
    cell: ({ subscriptions }) =>
      subscriptions.length === 0 ? (
        <EmptyCell />
      ) : (
        <TagList
          caption="Other subscriptions"
          items={subscriptions.map((text) => ({ key: text, tag: <Tag mono>{text}</Tag>, text }))}
        />
      ),
  },
  {
    id: 'attempted',
    header: 'Attempted',
    part: 'meta',
    rank: 'low',
    cell: ({ lastAttempt }) => (lastAttempt ? <DateTime value={lastAttempt.timeSent} /> : <EmptyCell />),
  },
  createdColumn<ReceiverHealth>(),
]
