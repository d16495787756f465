import { implement } from '../../pipeline/implement.ts'
import { cancelBulkDeletion, createBulkDeletion, retryBulkDeletion, viewBulkDeletion } from './deletions.ts'
import { cancelAction, createAction, listActions, retryAction, viewAction } from './service.ts'

export const bulkHttp = implement({
  instanceActionCreate: (cx, { query, body }) => createAction(cx, query, body),
  instanceActionList: (cx, { query }) => listActions(cx, query),
  instanceActionView: (cx, { path }) => viewAction(cx, path.action),
  instanceActionCancel: (cx, { path }) => cancelAction(cx, path.action),
  instanceActionRetry: (cx, { path }) => retryAction(cx, path.action),
  bulkDeletionCreate: createBulkDeletion,
  bulkDeletionView: (cx, { path }) => viewBulkDeletion(cx, path.action),
  bulkDeletionCancel: (cx, { path }) => cancelBulkDeletion(cx, path.action),
  bulkDeletionRetry: (cx, { path }) => retryBulkDeletion(cx, path.action),
})
