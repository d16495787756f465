import * as op from '@gantry/api/client/operations.gen'
import { timingWords } from '@gantry/api/schedules/schedule.rules'
import { useQuery } from '@tanstack/react-query'
import { allQuery } from '#/data/queries.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { buttonClass } from '#/ui/Button.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { plural } from '#/ui/data/format.ts'
import { Table } from '#/ui/data/Table.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'
import { scheduleLink, schedulesLink } from './links.ts'
import { RunPlate, scheduleText } from './parts.tsx'
import type { Schedule } from './queries.ts'

interface Props {
  project: string
  /** The id of the instance or disk of this page. */
  object: string
}

const columnsIn = (project: string): Column<Schedule>[] => [
  {
    id: 'name',
    header: 'Name',
    part: 'name',
    cell: ({ name }) => (
      <PageLink {...scheduleLink(project, name)} className="name">
        {name}
      </PageLink>
    ),
  },
  {
    id: 'what',
    header: 'What',
    part: 'line',
    cell: (schedule) => <Truncate text={scheduleText(schedule)} max={48} />,
  },
  { id: 'when', header: 'When', part: 'meta', cell: ({ timing }) => timingWords(timing) },
  {
    id: 'last',
    header: 'Last run',
    part: 'state',
    cell: ({ lastRun }) => (lastRun ? <RunPlate state={lastRun.state} /> : <EmptyCell />),
  },
  {
    id: 'next',
    header: 'Next run',
    part: 'meta',
    cell: ({ nextRuns: [next], isEnabled }) =>
      isEnabled ? next ? <DateTime value={next} /> : <EmptyCell /> : <Tag>Disabled</Tag>,
  },
]

/** The schedules that name an instance or a disk, and how many act on what matches a filter. */
export function SchedulesCard({ project, object }: Props) {
  const isServed = useHasExtensions()
  const { data, error, refetch } = useQuery({
    ...allQuery(op.scheduleList, { query: { project } }),
    enabled: isServed,
  })
  if (!isServed) return null
  const naming = data?.filter(({ objects }) => objects?.some(({ id }) => id === object))
  const others = data?.filter(({ filter }) => filter !== null).length ?? 0
  const problem = error && !data && <SectionError failure={error} onRetry={() => void refetch()} />
  return (
    <Card
      title="Schedules"
      flush
      actions={
        <PageLink {...schedulesLink(project)} className={buttonClass({ kind: 'default' })}>
          All schedules
        </PageLink>
      }
      {...(others > 0 && {
        footer: `${others} ${plural('schedule', others)} of the project ${others === 1 ? 'acts' : 'act'} on what matches a filter when ${others === 1 ? 'it runs' : 'they run'}.`,
      })}
    >
      <Table<Schedule>
        inset
        label="Schedules"
        columns={columnsIn(project)}
        rows={naming}
        rowKey={({ id }) => id}
        skeletonRows={1}
        {...(problem && { error: <div className="px-3.5 pb-3.5">{problem}</div> })}
        empty={
          <CardEmpty title="No schedules">
            A schedule takes snapshots, backs instances up, or stops or starts them, at set times.
          </CardEmpty>
        }
      />
    </Card>
  )
}
