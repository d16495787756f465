import type { OutageOutcome } from '@gantry/api/system/hardware.rules'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { RelativeTime } from '#/ui/data/DateTime.tsx'
import { formatCount, formatSeries } from '#/ui/data/format-amounts.ts'
import { formatDistance, formatNumber } from '#/ui/data/format.ts'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { sledLink } from '../links.ts'
import type { Outage, SledUse } from '../queries.ts'
import { InstanceName } from '../rack/RackLights.tsx'
import { useOutageStart } from './OutageStart.tsx'

type Lost = Outage['instances'][number]

const words: Record<OutageOutcome, { plate: string; family: StateFamily; count: string; fill: string }> = {
  failed: { plate: 'Failed', family: 'fail', count: 'failed', fill: 'bg-fail-fill' },
  unknown: { plate: 'Out of reach', family: 'care', count: 'out of reach', fill: 'bg-busy-fill' },
  starting: { plate: 'Starting', family: 'busy', count: 'starting elsewhere', fill: 'bg-busy-fill' },
  stopped: { plate: 'Stopped', family: 'idle', count: 'stopped since', fill: 'bg-idle-fill' },
  restarted: {
    plate: 'Running',
    family: 'ok',
    count: 'restarted elsewhere by the platform',
    fill: 'bg-ok-fill',
  },
  started: { plate: 'Running', family: 'ok', count: 'started elsewhere by hand', fill: 'bg-ok-fill' },
  deleted: { plate: 'Deleted', family: 'gone', count: 'deleted since', fill: 'bg-idle-fill' },
}

interface Props {
  sledId: string
  outage: Outage
  /** All sleds. */
  uses: readonly SledUse[]
}

/** The instances that the sled's loss took down, with their outcomes. */
export function OutageCard({ sledId, outage, uses }: Props) {
  const { outcomes, instances } = outage
  const { button, results } = useOutageStart(sledId, outage, uses)
  const total = outcomes.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card
      title={`${formatCount(total, 'instance')} ran here`}
      description={
        total > 0 &&
        `${formatSeries(
          outcomes.map(({ outcome, count }) => `${formatNumber(count)} ${words[outcome].count}`),
          'and',
        )}.`
      }
      flush
      actions={total > 0 && button}
      footer={
        total > instances.length && `The first ${instances.length} of ${formatNumber(total)} are listed.`
      }
    >
      {total > 0 && (
        <div
          aria-hidden
          className="mx-3.5 mb-3 flex h-2.5 gap-px overflow-clip rounded-tag border border-line"
        >
          {outcomes.map(({ outcome, count }) => (
            <span
              key={outcome}
              className={words[outcome].fill}
              style={{ width: `${(100 * count) / total}%` }}
            />
          ))}
        </div>
      )}
      {results}
      <Table
        inset
        label="What the loss took down"
        columns={columns}
        rows={instances}
        rowKey={idOf}
        empty={<CardEmpty title="No instances">No instance ran on the sled when it was lost.</CardEmpty>}
      />
    </Card>
  )
}

const idOf = ({ id }: Lost): string => id

const reasons: Partial<Record<OutageOutcome, string>> = {
  restarted: 'Restarted by the platform.',
  started: 'Started by hand.',
  unknown: 'It cannot be seen until the fleet reaches the host.',
}

const columns: Column<Lost>[] = [
  { id: 'instance', header: 'Instance', cell: (instance) => <InstanceName instance={instance} /> },
  {
    id: 'owner',
    header: 'Silo / project',
    part: 'meta',
    cell: ({ siloName, projectName }) => `${siloName} / ${projectName}`,
  },
  {
    id: 'outcome',
    header: 'What became of it',
    part: 'state',
    cell: ({ outcome }) => <StatePlate family={words[outcome].family}>{words[outcome].plate}</StatePlate>,
  },
  {
    id: 'next',
    header: 'How, or what to do',
    part: 'line',
    cell: ({ outcome, reason, nextStep }) => {
      const text = reasons[outcome] ?? `${reason ?? ''} ${nextStep ?? ''}`.trim()
      return text ? (
        <span className="block min-w-48 text-sm whitespace-normal text-text">{text}</span>
      ) : (
        <EmptyCell />
      )
    },
  },
  {
    id: 'sled',
    header: 'Now on',
    part: 'meta',
    cell: ({ sled }) =>
      sled ? (
        <PageLink {...sledLink(sled.id)} className="link">
          {sled.serial}
        </PageLink>
      ) : (
        <EmptyCell />
      ),
  },
  {
    id: 'down',
    header: 'Was down for',
    align: 'right',
    isLabelled: true,
    cell: ({ outcome, timeDown, timeBack }) => {
      if (timeBack) return formatDistance(timeBack.getTime() - timeDown.getTime())
      return outcome === 'stopped' || outcome === 'deleted' ? (
        <EmptyCell />
      ) : (
        <RelativeTime value={timeDown} caption="Down since" />
      )
    },
  },
]
