import { createFileRoute } from '@tanstack/react-router'
import { scheduleView } from '#/features/schedules/queries.ts'
import { EditSchedule } from '#/features/schedules/ScheduleForms.tsx'

export const Route = createFileRoute('/_console/projects/$project/schedules/$schedule/edit')({
  loader: ({ context, params: { project, schedule } }) => context.renew(scheduleView(project, schedule)),
  staticData: { title: 'Edit schedule' },
  component: EditSchedule,
})
