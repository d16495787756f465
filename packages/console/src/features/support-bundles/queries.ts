import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'

export type Bundle = OutputOf<'supportBundleStatusList'>['items'][number]
export type BundleFile = OutputOf<'supportBundleDetailView'>['files'][number]

export const bundleAt = (bundleId: string) => ({ path: { bundleId } })

/** Newest first. */
export const bundlesList = listQuery(op.supportBundleStatusList, {
  query: { sortBy: 'time_and_id_descending' },
})
export const bundleView = (bundleId: string) => opQuery(op.supportBundleDetailView, bundleAt(bundleId))
