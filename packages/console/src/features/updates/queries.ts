import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, opQuery } from '#/data/queries.ts'

export type UpdateStatus = OutputOf<'updateStatusView'>
export type UpdateComponent = UpdateStatus['components'][number]
export type Release = OutputOf<'updateRepositoryList'>['items'][number]
export type RepositoryUpload = OutputOf<'updateUploadList'>['items'][number]
export type TrustRoot = OutputOf<'systemUpdateTrustRootList'>['items'][number]

const recentMs = 30 * 60_000

/** Polls more often for half an hour after the last step, whether or not the change stream is live. */
export const updateStatus = {
  ...opQuery(op.updateStatusView, {}),
  refetchInterval: ({ state }: { state: { data: UpdateStatus | undefined } }) => {
    const { targetRelease, timeLastStepPlanned } = state.data ?? {}
    const last = Math.max(targetRelease?.timeRequested.getTime() ?? 0, timeLastStepPlanned?.getTime() ?? 0)
    return Date.now() - last < recentMs ? 20_000 : 120_000
  },
}
export const releases = opQuery(op.updateRepositoryList, {})
/** Received bytes leave no change record to stream. */
export const repositoryUploads = {
  ...opQuery(op.updateUploadList, {}),
  refetchInterval: ({ state }: { state: { data: { items: RepositoryUpload[] } | undefined } }) =>
    state.data?.items.some((upload) => upload.state === 'open' || upload.state === 'checking')
      ? 3000
      : 60_000,
}
export const trustRoots = allQuery(op.systemUpdateTrustRootList, {})
