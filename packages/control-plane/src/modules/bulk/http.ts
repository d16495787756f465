import { implement } from '../../pipeline/implement.ts'
import { checkNames, createBatch } from './batch.ts'
import { cancelBulkDeletion, createBulkDeletion, retryBulkDeletion, viewBulkDeletion } from './deletions.ts'
import { cancelBulkTagging, createBulkTagging, retryBulkTagging, viewBulkTagging } from './taggings.ts'
import { cancelAction, createAction, listActions, retryAction, viewAction } from './service.ts'

export const bulkHttp = implement({
  instanceActionCreate: (cx, { query, body }) => createAction(cx, query, body),
  instanceActionList: (cx, { query }) => listActions(cx, query),
  instanceActionView: (cx, { path }) => viewAction(cx, path.action),
  instanceActionCancel: (cx, { path }) => cancelAction(cx, path.action),
  instanceActionRetry: (cx, { path }) => retryAction(cx, path.action),
  instanceBatchCreate: (cx, { query, body }) => createBatch(cx, query, body),
  instanceBatchNames: (cx, { query }) => checkNames(cx, { project: query.project }, query),
  bulkDeletionCreate: createBulkDeletion,
  bulkDeletionView: (cx, { path }) => viewBulkDeletion(cx, path.action),
  bulkDeletionCancel: (cx, { path }) => cancelBulkDeletion(cx, path.action),
  bulkDeletionRetry: (cx, { path }) => retryBulkDeletion(cx, path.action),
  bulkTaggingCreate: createBulkTagging,
  bulkTaggingView: (cx, { path }) => viewBulkTagging(cx, path.action),
  bulkTaggingCancel: (cx, { path }) => cancelBulkTagging(cx, path.action),
  bulkTaggingRetry: (cx, { path }) => retryBulkTagging(cx, path.action),
})
