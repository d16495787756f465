import { implement } from '../../pipeline/implement.ts'
import { listActivity, listSystemActivity } from './activity.ts'

export const historyHttp = implement({
  activityList: (cx, { query }) => listActivity(cx, query),
  systemActivityList: (cx, { query }) => listSystemActivity(cx, query),
})
