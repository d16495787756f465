import { copyNoun, keepWords, makesCopies, timingWords } from '@gantry/api/schedules/schedule.rules'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { WithActivity, withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { scheduleLink, schedulesLink } from '#/features/schedules/links.ts'
import { ScheduleDocs, scheduleText, ZonedTime } from '#/features/schedules/parts.tsx'
import { type Schedule, scheduleRuns, scheduleView } from '#/features/schedules/queries.ts'
import { Runs } from '#/features/schedules/Runs.tsx'
import { useScheduleActions } from '#/features/schedules/use-schedule-actions.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { DescriptionItem, TimeItems } from '#/kit/page/plate-items.tsx'
import { ResourcePage } from '#/kit/page/ResourcePage.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'

export const Route = createFileRoute('/_console/projects/$project/schedules/$schedule')({
  validateSearch: withActivitySearch,
  loader: ({ context, params: { project, schedule } }) =>
    context.prefetch(scheduleView(project, schedule), scheduleRuns(project, schedule)),
  staticData: {
    crumb: [
      { label: 'Schedules', to: '/projects/$project/schedules' },
      { param: 'schedule', to: '/projects/$project/schedules/$schedule' },
    ],
  },
  component: SchedulePage,
})

function SchedulePage() {
  const { project, schedule: name } = Route.useParams()
  const { data: schedule, onDelete } = useViewed(scheduleView(project, name), schedulesLink(project))
  const actions = useScheduleActions(project, onDelete)
  return (
    <>
      <ResourcePage
        title={schedule.name}
        docs={<ScheduleDocs />}
        kind="Schedule"
        menu={() => actionMenu(actions(schedule))}
        plate={<Plate schedule={schedule} />}
      >
        <div className="mt-4">
          <WithActivity
            label="Schedule"
            contents="Runs"
            link={scheduleLink(project, name)}
            activityLink={{ ...scheduleLink(project, name), search: { tab: 'activity' } }}
            scope={{ of: 'project', project, object: schedule.id }}
            asked={Route.useSearch()}
          >
            <Runs project={project} schedule={name} noun={copyNoun(schedule.action)} />
          </WithActivity>
        </div>
      </ResourcePage>
      {/* The form opens over the page. */}
      <Outlet />
    </>
  )
}

function Plate({ schedule }: { schedule: Schedule }) {
  const { action, objects, timing, timezone, keep, target, isEnabled, nextRuns } = schedule
  return (
    <DataPlate>
      <DataItem label="What" wide>
        {scheduleText(schedule)}
        {objects && objects.length > 1 && (
          <span className="block text-sm text-muted">
            {objects.map(({ name }) => name ?? '(deleted)').join(', ')}
          </span>
        )}
      </DataItem>
      <DescriptionItem description={schedule.description} />
      <DataItem label="When">
        {timingWords(timing)}, {timezone}
      </DataItem>
      {makesCopies(action) && <DataItem label="Keeps">{keepWords(keep)}</DataItem>}
      {target && (
        <DataItem label="Target">
          {target.type === 'default'
            ? 'The default target'
            : (target.name ?? <>Deleted: choose another one</>)}
        </DataItem>
      )}
      <DataItem label="Next runs" wide>
        {isEnabled ? (
          <ul className="tabular-nums">
            {nextRuns.map((next) => (
              <li key={next}>
                <ZonedTime value={next} zone={timezone} />
              </li>
            ))}
          </ul>
        ) : (
          'None, because it is disabled'
        )}
      </DataItem>
      <DataItem label="ID">
        <CopyableId id={schedule.id} max={24} />
      </DataItem>
      <TimeItems of={schedule} changed="Updated" />
    </DataPlate>
  )
}
