import { timingWords } from '@gantry/api/schedules/schedule.rules'
import { createFileRoute } from '@tanstack/react-router'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import { useMemo } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { newScheduleLink, scheduleLink } from '#/features/schedules/links.ts'
import { RunPlate, ScheduleDocs, scheduleText } from '#/features/schedules/parts.tsx'
import { foundSchedules, type Schedule } from '#/features/schedules/queries.ts'
import { useScheduleActions } from '#/features/schedules/use-schedule-actions.tsx'
import { nameColumn } from '#/kit/list/columns.tsx'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { loadList } from '#/kit/page/loaders.ts'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { EmptyCell, Truncate } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/projects/$project/_schedules')({
  validateSearch: findSearch,
  loader: ({ params: { project }, ...visit }) =>
    loadList(visit, foundSchedules(project, findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Schedules', to: '/projects/$project/schedules' } },
  component: Schedules,
})

const columnsIn = (project: string): Column<Schedule>[] => [
  nameColumn<Schedule>(({ name }) => scheduleLink(project, name)),
  {
    id: 'what',
    header: 'What',
    part: 'line',
    cell: (schedule) => <Truncate text={scheduleText(schedule)} max={56} />,
  },
  {
    id: 'when',
    header: 'When',
    part: 'meta',
    cell: ({ timing, timezone }) => `${timingWords(timing)}, ${timezone}`,
  },
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

function Schedules() {
  const { project } = Route.useParams()
  const query = foundSchedules(project, Route.useSearch())
  const list = useListPage(query)
  const { columns, find } = useFound({
    kind: 'schedule',
    pluralNoun: 'schedules',
    place: { project },
    list: query,
    rows: list.rows,
    columns: useMemo(() => columnsIn(project), [project]),
  })
  return (
    <ResourceList
      kind="schedule"
      icon={CalendarClock}
      title="Schedules"
      docs={<ScheduleDocs />}
      list={list}
      columns={columns}
      find={find}
      actions={useScheduleActions(project)}
      rowEntry={({ name }) => ({ label: name, link: scheduleLink(project, name) })}
      create={{ link: newScheduleLink(project), whyNot: useWhyNotInProject(project) }}
      empty={{
        title: 'No schedules',
        text: 'Create a schedule to take snapshots, or to back up, stop or start instances, at times that you choose.',
      }}
    />
  )
}
