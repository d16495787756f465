import type { OpRef } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { OpName } from '@gantry/api/registry'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { invalidateOps, readAfter } from '#/data/queries.ts'

/** Calls with one id, by the operation as a task names it. */
const calls: Readonly<Record<string, (target: string, queryClient: QueryClient) => Promise<void>>> = {
  bulk_deletion_cancel: (action, client) => send(client, op.bulkDeletionCancel, { path: { action } }),
  bulk_deletion_retry: (action, client) => send(client, op.bulkDeletionRetry, { path: { action } }),
  bulk_tagging_cancel: (action, client) => send(client, op.bulkTaggingCancel, { path: { action } }),
  bulk_tagging_retry: (action, client) => send(client, op.bulkTaggingRetry, { path: { action } }),
  deletion_cancel: (deletionId, client) => send(client, op.deletionCancel, { path: { deletionId } }),
  image_upload_complete: (upload, client) => send(client, op.imageUploadComplete, { path: { upload } }),
  image_upload_delete: (upload, client) => send(client, op.imageUploadDelete, { path: { upload } }),
  instance_action_cancel: (action, client) => send(client, op.instanceActionCancel, { path: { action } }),
  instance_action_retry: (action, client) => send(client, op.instanceActionRetry, { path: { action } }),
  instance_start: (instance, client) => send(client, op.instanceStart, { path: { instance } }),
  network_trial_confirm: (trialId, client) => send(client, op.networkTrialConfirm, { path: { trialId } }),
  network_trial_revert: (trialId, client) => send(client, op.networkTrialRevert, { path: { trialId } }),
  restoration_cancel: (restorationId, client) =>
    send(client, op.restorationCancel, { path: { restorationId } }),
  sled_drain_cancel: (drainId, client) => send(client, op.sledDrainCancel, { path: { drainId } }),
  update_upload_complete: (uploadId, client) => send(client, op.updateUploadComplete, { path: { uploadId } }),
  update_upload_delete: (uploadId, client) => send(client, op.updateUploadDelete, { path: { uploadId } }),
  support_bundle_delete: (bundleId, client) => send(client, op.supportBundleDelete, { path: { bundleId } }),
}

export async function runTaskAction(client: QueryClient, operation: string, target: string): Promise<void> {
  await calls[operation]?.(target, client)
  await invalidateOps(client, [op.taskList, op.systemTaskList])
}

async function send<Name extends OpName>(
  client: QueryClient,
  ref: OpRef<Name>,
  input: Parameters<typeof call<Name>>[1],
): Promise<void> {
  await call(ref, input)
  await readAfter(client, ref, input)
}
