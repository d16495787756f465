import { implement } from '../../pipeline/implement.ts'
import { listRunItems, listRuns } from './runs.ts'
import { createSchedule, deleteSchedule, listSchedules, updateSchedule, viewSchedule } from './schedules.ts'

export const schedulesHttp = implement({
  scheduleList: listSchedules,
  scheduleCreate: (cx, { query, body }) => createSchedule(cx, query, body),
  scheduleView: (cx, { path, query }) => viewSchedule(cx, { ...path, ...query }),
  scheduleUpdate: (cx, { path, query, body }) => updateSchedule(cx, { ...path, ...query }, body),
  scheduleDelete: (cx, { path, query }) => deleteSchedule(cx, { ...path, ...query }),
  scheduleRunList: (cx, { path, query }) => listRuns(cx, { ...path, ...query }),
  scheduleRunItemList: (cx, { path, query: { due, ...query } }) =>
    listRunItems(cx, { ...path, ...query }, due),
})
