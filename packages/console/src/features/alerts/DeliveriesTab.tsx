import { deliveryRules, deliveryStates } from '@gantry/api/system/alert.rules'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { useListPage } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { receiverLink, type ReceiverSearch } from './links.ts'
import { AttemptPlate, DeliveryPlate, useResend } from './parts.tsx'
import { type Delivery, isPlainDelivery, receiverDeliveries } from './queries.ts'
import { deliveryStateWords, stateOf, triggerWords } from './words.ts'

const DeliveryPanel = lazyPart(() => import('./DeliveryPanel.tsx'), 'DeliveryPanel')

const stateOptions = [
  { value: '', label: 'Any state' },
  ...deliveryStates.map((value) => ({ value, label: deliveryStateWords[value].text })),
]

const columns: Column<Delivery>[] = [
  {
    id: 'class',
    header: 'Alert class',
    part: 'name',
    cell: ({ id, alertClass }) => <DeliveryLink id={id}>{alertClass}</DeliveryLink>,
  },
  { id: 'state', header: 'State', part: 'state', cell: ({ state }) => <DeliveryPlate state={state} /> },
  {
    id: 'attempts',
    header: 'Attempts',
    isLabelled: true,
    cell: ({ attempts: { webhook } }) => (
      <span className="tabular-nums">
        {formatNumber(webhook.length)} of {deliveryRules.attempts}
      </span>
    ),
  },
  {
    id: 'last',
    header: 'Last attempt',
    part: 'meta',
    cell: ({ state, attempts: { webhook } }) => {
      const last = webhook.at(-1)
      if (last) return <AttemptPlate {...last} />
      return <span className="text-muted">{state === 'failed' ? 'Dropped, too many waited' : 'Not yet'}</span>
    },
  },
  { id: 'trigger', header: 'Trigger', part: 'meta', cell: ({ trigger }) => triggerWords[trigger] },
  {
    id: 'started',
    header: 'Started',
    part: 'meta',
    cell: ({ timeStarted }) => <DateTime value={timeStarted} />,
  },
]

/** Opens a delivery beside the filtered list. */
function DeliveryLink({ id, children }: { id: string; children: string }) {
  const { receiver = '' } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  if (isPlainDelivery()) return <span className="font-medium text-strong">{children}</span>
  return (
    <PageLink {...receiverLink(receiver)} search={{ ...search, delivery: id }} over className="name">
      {children}
    </PageLink>
  )
}

/** The deliveries to a receiver, newest first. */
export function DeliveriesTab({ receiver, search }: { receiver: string; search: ReceiverSearch }) {
  const navigate = useNavigate()
  const resend = useResend(receiver)
  const state = stateOf(search.state)
  const ask = (change: ReceiverSearch) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  const filter = (wanted: string) => ask({ state: wanted || undefined, page: undefined, delivery: undefined })
  return (
    <>
      <TabHead
        actions={
          <search>
            <Select small aria-label="State" options={stateOptions} value={state ?? ''} onChange={filter} />
          </search>
        }
      >
        Each delivery has at most {deliveryRules.attempts} attempts.
      </TabHead>
      <ResourceTable
        label="Deliveries"
        list={useListPage(receiverDeliveries(receiver, search.state))}
        columns={columns}
        actions={({ alertId, alertClass }) => [
          {
            label: 'Resend',
            icon: <RotateCw aria-hidden strokeWidth={1.75} />,
            disabled: resend.whyNot,
            onSelect: () => resend.ask({ alertId, alertClass }),
          },
        ]}
        empty={
          state ? (
            <NothingMatches onClear={() => filter('')} />
          ) : (
            <EmptyState title="No deliveries">Alerts sent to this receiver will show up here</EmptyState>
          )
        }
      />
      {search.delivery && !isPlainDelivery() && (
        <DeliveryPanel
          receiver={receiver}
          id={search.delivery}
          onClose={() => ask({ delivery: undefined })}
        />
      )}
    </>
  )
}
