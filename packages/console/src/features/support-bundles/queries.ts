import { type OutputOf, pathOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { call } from '#/data/client.ts'
import type { Fallback } from '#/data/fallback.ts'
import { listQuery, opQuery, rowsOf } from '#/data/queries.ts'

type Detail = OutputOf<'supportBundleDetailView'>
/** Servers without our extension report neither progress nor sizes; file sizes are then NaN. */
export type Bundle = OutputOf<'supportBundleStatusList'>['items'][number]
export type BundleFile = Detail['files'][number]

const unknownProgress = { size: null, partsDone: 0, partsTotal: 0 }

export const bundleAt = (bundleId: string) => ({ path: { bundleId } })

/** Newest first. */
export const bundlesList = listQuery(
  op.supportBundleStatusList,
  { query: { sortBy: 'time_and_id_descending' } },
  { fallback: rowsOf(op.supportBundleList, (bundle) => ({ ...bundle, ...unknownProgress })) },
)
export const bundleView = (bundleId: string) =>
  opQuery(op.supportBundleDetailView, bundleAt(bundleId), plainDetail)

const plainDetail: Fallback<'supportBundleDetailView'> = async (input, options) => {
  const { data: bundle, etag } = await call(op.supportBundleView, input, options)
  const paths = bundle.state === 'active' ? await pathsIn(input, options.signal) : []
  const files = paths.map((path) => ({ path, size: Number.NaN }))
  return { data: { ...bundle, ...unknownProgress, files }, etag }
}

/** The index is a text with one path per line. */
async function pathsIn({ path }: ReturnType<typeof bundleAt>, signal?: AbortSignal): Promise<string[]> {
  const response = await fetch(pathOf(op.supportBundleIndex.path, path), signal && { signal })
  return response.ok ? (await response.text()).split('\n').filter(Boolean) : []
}
