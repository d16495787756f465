import type { LinkTarget } from '#/kit/links/link-target.ts'

export const schedulesLink = (project: string) =>
  ({ to: '/projects/$project/schedules', params: { project } }) satisfies LinkTarget
export const newScheduleLink = (project: string) =>
  ({ to: '/projects/$project/schedules-new', params: { project } }) satisfies LinkTarget
export const scheduleLink = (project: string, schedule: string) =>
  ({ to: '/projects/$project/schedules/$schedule', params: { project, schedule } }) satisfies LinkTarget
export const editScheduleLink = (project: string, schedule: string) =>
  ({ to: '/projects/$project/schedules/$schedule/edit', params: { project, schedule } }) satisfies LinkTarget
