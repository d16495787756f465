import { implement } from '../../pipeline/implement.ts'
import { checkNames, createBatch } from './batch.ts'
import { bulkDeletions, createBulkDeletion, retryBulkDeletion } from './deletions.ts'
import { bulkTaggings, createBulkTagging, retryBulkTagging } from './taggings.ts'
import { createAction, instanceActions, listActions, retryAction } from './service.ts'

export const bulkHttp = implement({
  instanceActionCreate: (cx, { query, body }) => createAction(cx, query, body),
  instanceActionList: (cx, { query }) => listActions(cx, query),
  instanceActionView: (cx, { path }) => instanceActions.view(cx, path.action),
  instanceActionCancel: (cx, { path }) => instanceActions.cancel(cx, path.action),
  instanceActionRetry: (cx, { path }) => retryAction(cx, path.action),
  instanceBatchCreate: (cx, { query, body }) => createBatch(cx, query, body),
  instanceBatchNames: (cx, { query }) => checkNames(cx, { project: query.project }, query),
  bulkDeletionCreate: createBulkDeletion,
  bulkDeletionView: (cx, { path }) => bulkDeletions.view(cx, path.action),
  bulkDeletionCancel: (cx, { path }) => bulkDeletions.cancel(cx, path.action),
  bulkDeletionRetry: (cx, { path }) => retryBulkDeletion(cx, path.action),
  bulkTaggingCreate: createBulkTagging,
  bulkTaggingView: (cx, { path }) => bulkTaggings.view(cx, path.action),
  bulkTaggingCancel: (cx, { path }) => bulkTaggings.cancel(cx, path.action),
  bulkTaggingRetry: (cx, { path }) => retryBulkTagging(cx, path.action),
})
