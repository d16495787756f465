import { implement } from '../../pipeline/implement.ts'
import { listActivity, listSystemActivity } from './activity.ts'
import { listPast, viewPast } from './past.ts'
import { revertEntry, viewRevert } from './revert.ts'
import { listProtections, removeProtection, updateProtection } from './protection.ts'
import { listSentRequests } from './sent-requests.ts'

export const historyHttp = implement({
  activityList: (cx, { query }) => listActivity(cx, query),
  systemActivityList: (cx, { query }) => listSystemActivity(cx, query),
  currentUserRequestList: (cx, { query }) => listSentRequests(cx, query),
  activityRevertView: (cx, input) => viewRevert(cx, input),
  activityRevert: (cx, input) => revertEntry(cx, input),
  pastObjectView: viewPast,
  pastObjectList: (cx, { query }) => listPast(cx, query),
  protectionList: (cx, { query }) => listProtections(cx, query),
  protectionUpdate: updateProtection,
  protectionRemove: removeProtection,
})
