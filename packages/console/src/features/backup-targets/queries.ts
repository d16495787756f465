import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'

export type Target = OutputOf<'backupTargetView'>
export type HeldBackup = OutputOf<'backupTargetContents'>['items'][number]

export const targetAt = (backupTarget: string) => ({ path: { backupTarget } })

export const targetsList = listQuery(op.backupTargetList, { query: {} })
export const targetView = (target: string) => opQuery(op.backupTargetView, targetAt(target))

/** The types of places, each with what keeps this server from using it. */
export const backupStores = opQuery(op.backupStoreList, {})

/** A page of what it holds, read from the target itself and no longer kept than it is shown. */
export const contentsOf = (target: string, after: string | undefined) => ({
  ...opQuery(op.backupTargetContents, { ...targetAt(target), query: { ...(after && { after }) } }),
  refetchInterval: false as const,
})
