import { createFileRoute } from '@tanstack/react-router'
import { NewSchedule } from '#/features/schedules/ScheduleForms.tsx'

export const Route = createFileRoute('/_console/projects/$project/_schedules/schedules-new')({
  staticData: { title: 'New schedule' },
  component: NewSchedule,
})
