import { createdColumn, nameColumn } from '#/features/common/columns.tsx'
import type { Column } from '#/ui/column.ts'
import { DateTime } from '#/ui/DateTime.tsx'
import { formatNumber } from '#/ui/format.ts'
import { Tag, TagList } from '#/ui/Tag.tsx'
import { EmptyCell, Truncate } from '#/ui/Truncate.tsx'
import { receiverLink } from './links.ts'
import { HealthPlate } from './parts.tsx'
import type { ReceiverHealth } from './queries.ts'

const countsOf = ({ delivered, failed, pending }: ReceiverHealth): string =>
  [
    `${formatNumber(delivered)} delivered`,
    `${formatNumber(failed)} failed`,
    ...(pending > 0 ? [`${formatNumber(pending)} pending`] : []),
  ].join(', ')

export const receiverColumns: Column<ReceiverHealth>[] = [
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
    cell: (receiver) => <span className="tabular-nums">{countsOf(receiver)}</span>,
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
