import { type Meter, meters, meterWords } from '@gantry/api/usage/usage.rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Button } from '#/ui/Button.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Figure } from '#/ui/data/Figures.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { saveText } from '#/ui/save-file.ts'
import { PricesButton } from './PricesButton.tsx'
import {
  monthIn,
  tagKeys,
  type UsageLine,
  type UsageReport,
  usageReport,
  type UsageScope,
  type UsageSearch,
} from './queries.ts'
import {
  amountText,
  costText,
  csvRows,
  isPriced,
  lineHead,
  lineName,
  monthsWith,
  monthText,
} from './words.ts'

const UsageChart = lazyPart(
  () => import('./UsageChart.tsx'),
  'UsageChart',
  <Skeleton className="h-75 w-full" />,
)

interface Props {
  scope: UsageScope
  search: UsageSearch
}

/** What was used in a month, hour by hour, and what it costs. */
export function UsagePage({ scope, search }: Props) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...usageReport(scope, search),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead
        title="Use and cost"
        docs={
          <DocsPopover topic="use and cost" page="places#silos">
            vCPUs and memory count from the start of an instance until its machine has ended; disks, snapshots
            and images count in full size for as long as they exist, floating IPs as long as they are
            reserved. What is in the recycle bin does not count. Days and months are in UTC.
          </DocsPopover>
        }
        actions={scope.of === 'fleet' && <PricesButton />}
      />
      <Choices scope={scope} search={search} report={data} />
      {error && !data ? (
        <SectionError failure={error} onRetry={() => void refetch()} />
      ) : data ? (
        <div className="space-y-5.5" aria-busy={isPlaceholderData}>
          <Totals report={data} />
          <UsageChart report={data} />
          <Lines report={data} scope={scope} search={search} />
        </div>
      ) : (
        <Skeleton className="h-75 w-full" />
      )}
    </>
  )
}

/** The month, what the lines are told apart by, and the file. */
function Choices({ scope, search, report }: Props & { report: UsageReport | undefined }) {
  const navigate = useNavigate()
  const month = monthIn(search)
  const choose = (change: UsageSearch) =>
    void navigate({ to: '.', search: { ...search, ...change }, replace: true, resetScroll: false })
  const download = async () => {
    if (!report) return
    const { csvLine } = await import('#/kit/list/csv.ts')
    const text = csvRows(report, scope, search)
      .map((line) => `${csvLine(line)}\r\n`)
      .join('')
    saveText(`use-${report.month}.csv`, text, 'text/csv')
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <Select
        small
        aria-label="Month"
        value={month}
        options={monthsWith(month).map((value) => ({ value, label: monthText(value) }))}
        onChange={(chosen) => choose({ month: chosen })}
      />
      {scope.of !== 'fleet' && <ByTag scope={scope} tag={search.tag} onChange={(tag) => choose({ tag })} />}
      {scope.of === 'fleet' && search.silo && (
        <Button onClick={() => choose({ silo: undefined })}>All silos</Button>
      )}
      <span className="grow" />
      <Button
        disabledReason={report ? undefined : 'There is nothing to show yet'}
        onClick={() => void download()}
      >
        Download CSV
      </Button>
    </div>
  )
}

const byProject = ' '

function ByTag({
  scope,
  tag,
  onChange,
}: {
  scope: UsageScope
  tag: string | undefined
  onChange: (tag: string | undefined) => void
}) {
  const { data } = useQuery(tagKeys(scope))
  const keys = new Set([...(tag ? [tag] : []), ...(data?.items ?? []).map(({ text }) => text)])
  return (
    <Select
      small
      aria-label="Told apart by"
      value={tag ?? byProject}
      options={[
        { value: byProject, label: 'By project' },
        ...[...keys].map((key) => ({ value: key, label: `By tag ${key}` })),
      ]}
      onChange={(chosen) => onChange(chosen === byProject ? undefined : chosen)}
    />
  )
}

function Totals({ report }: { report: UsageReport }) {
  const { total, currency, through, knownFrom } = report
  return (
    <div className="space-y-2">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 md:grid-cols-4 xl:grid-cols-7">
        {isPriced(report) && (
          <Total label="Cost">
            <span className="whitespace-nowrap tabular-nums">{costText(total.cost, currency)}</span>
          </Total>
        )}
        {meters.map((meter) => (
          <Total key={meter} label={meterWords[meter].label}>
            <Figure value={amountText(total.hours[meter])} unit={meterWords[meter].unit} />
          </Total>
        ))}
      </dl>
      <p className="text-sm text-muted">
        Counted until <DateTime value={new Date(through)} />.
        {knownFrom && (
          <>
            {' '}
            Before <DateTime value={new Date(knownFrom)} /> nothing was counted.
          </>
        )}
      </p>
    </div>
  )
}

function Total({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-lg text-strong">{children}</dd>
    </div>
  )
}

const keyOf = ({ silo, project, tag, others }: UsageLine): string =>
  `${silo?.id ?? ''} ${project?.id ?? ''} ${tag === null ? 'none' : `=${tag}`} ${others}`

function Lines({ report, scope, search }: Props & { report: UsageReport }) {
  const { currency, lines } = report
  const priced = isPriced(report)
  // Rows keep their columns while only amounts change.
  const columns = useMemo(
    () => columnsOf(scope, search, priced ? currency : undefined),
    [scope, search, priced, currency],
  )
  return (
    <Table
      label="Use"
      columns={columns}
      rows={lines}
      rowKey={keyOf}
      empty={<p className="text-muted">Nothing was used in {monthText(report.month)}.</p>}
    />
  )
}

/** `currency` is undefined where nothing has a price. */
const columnsOf = (
  scope: UsageScope,
  search: UsageSearch,
  currency: string | undefined,
): readonly Column<UsageLine>[] => [
  nameColumn(scope, search),
  ...meters.map(amountColumn),
  ...(currency === undefined ? [] : [costColumn(currency)]),
]

const nameColumn = (scope: UsageScope, search: UsageSearch): Column<UsageLine> => ({
  id: 'name',
  header: lineHead(scope, search),
  cell: (line) => <LineName line={line} scope={scope} search={search} />,
})

const costColumn = (currency: string): Column<UsageLine> => ({
  id: 'cost',
  header: 'Cost',
  align: 'right',
  isLabelled: true,
  cell: ({ cost }) => (
    <span className="whitespace-nowrap text-strong tabular-nums">{costText(cost, currency)}</span>
  ),
})

const amountColumn = (meter: Meter): Column<UsageLine> => ({
  id: meter,
  header: `${meterWords[meter].label}, ${meterWords[meter].unit}`,
  align: 'right',
  isLabelled: true,
  cell: ({ hours }) => <span className="tabular-nums">{amountText(hours[meter])}</span>,
})

function LineName({ line, scope, search }: Props & { line: UsageLine }) {
  const name = lineName(line, scope, search)
  const { month } = search
  const kept: Record<string, string> = month ? { month } : {}
  if (scope.of === 'fleet' && !search.silo && line.silo)
    return (
      <PageLink to="/system/usage" search={{ ...kept, silo: line.silo.name }} className="link">
        {name}
      </PageLink>
    )
  if (scope.of === 'silo' && !search.tag && line.project)
    return (
      <PageLink to="/projects/$project/usage" params={{ project: name }} search={kept} className="link">
        {name}
      </PageLink>
    )
  return <span className="font-medium text-strong">{name}</span>
}
