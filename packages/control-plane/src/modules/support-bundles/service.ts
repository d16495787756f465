import { MiB } from '@gantry/api/base/bytes.rules'
import { ops } from '@gantry/api/registry'
import { allows } from '@gantry/api/base/state.rules'
import type {
  SupportBundleDetail,
  SupportBundleInfo,
  SupportBundleStatus,
} from '@gantry/api/system/support-bundle'
import { bundleCommentProblem, supportBundleAllows } from '@gantry/api/system/support-bundle.rules'
import type { Operation } from '@gantry/api/op'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { keysetPage } from '../../list/keyset-page.ts'
import { timeKey } from '../../list/time-key.ts'
import { need, needFleet } from '../../lookup/need.ts'
import { fullRefusal } from '../../context/out-of-space.ts'
import { insufficient, invalid } from '../../context/refusal.ts'
import { bundleCollection, bundleRemoval } from './collect.ts'
import { bundleParts } from './parts.ts'
import { generationKey } from '../../lookup/etag.ts'

type Bundle = Row<'support_bundle'>
export interface AtBundle {
  bundle_id: string
}
interface Scan {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: string | null | undefined
}

const infoView = (row: Bundle): SupportBundleInfo => {
  const { id, time_created, reason_for_creation, reason_for_failure, user_comment, state, generation } = row
  const view = { id, time_created: time_created.toISOString(), reason_for_creation, reason_for_failure }
  return { ...view, user_comment, state, [generationKey]: generation } as SupportBundleInfo
}

const statusView = (row: Bundle): SupportBundleStatus => {
  const { size, parts_done, parts_total } = row
  return { ...infoView(row), size, parts_done, parts_total }
}

const pageOf = <View>(cx: Cx, op: Operation, query: Scan, view: (row: Bundle) => View) =>
  keysetPage(
    cx,
    op,
    'support_bundle',
    query,
    { keys: { time_and_id: timeKey('time_created') }, where: async () => [] },
    view,
  )

export async function listBundles(cx: Cx, query: Scan) {
  needFleet(cx, 'list_children')
  return pageOf(cx, ops.supportBundleList, query, infoView)
}

export async function listStatuses(cx: Cx, query: Scan) {
  needFleet(cx, 'list_children')
  return pageOf(cx, ops.supportBundleStatusList, query, statusView)
}

export async function viewBundle(cx: Cx, { bundle_id }: AtBundle): Promise<SupportBundleInfo> {
  return infoView((await need(cx, 'support_bundle', { bundle_id }, 'read')).row)
}

export async function viewDetail(cx: Cx, { bundle_id }: AtBundle): Promise<SupportBundleDetail> {
  const { row } = await need(cx, 'support_bundle', { bundle_id }, 'read')
  const files = (row.files ?? []).map(({ path, size }) => ({ path, size }))
  return { ...statusView(row), files }
}

export async function createBundle(cx: Cx, comment: string | null | undefined): Promise<SupportBundleInfo> {
  needFleet(cx, 'modify')
  refuseComment(comment)
  const { at_most, mebibytes } = cx.services.settings.support_bundles
  await cx.services.blocks.needRoom(mebibytes * MiB).catch((error: unknown) => {
    throw fullRefusal(error) ?? error
  })
  return change(cx, fleetScope, async (tx) => {
    await refuseTooMany(tx, at_most)
    const bundle = await tx.insert('support_bundle', {
      reason_for_creation: 'Created by external API',
      reason_for_failure: null,
      user_comment: comment ?? null,
      state: 'collecting',
      content_id: null,
      size: null,
      files: null,
      parts_total: bundleParts.length,
    })
    await tx.job(bundleCollection, { bundle_id: bundle.id })
    return infoView(bundle)
  })
}

/** Bundles that are being destroyed still take space. Creators wait for each other, so the limit is exact. */
async function refuseTooMany(tx: Change, limit: number): Promise<void> {
  await sql`LOCK TABLE support_bundle IN SHARE ROW EXCLUSIVE MODE`.execute(tx.plain)
  const { rows } = await sql`SELECT 1 FROM support_bundle WHERE time_deleted IS NULL
    OFFSET ${limit - 1} LIMIT 1`.execute(tx.plain)
  if (rows.length > 0)
    throw insufficient(`there are already ${limit} support bundles`, {
      help: 'Delete a support bundle first, or ask the operator to raise the setting support_bundles.at_most.',
    })
}

export async function updateBundle(
  cx: Cx,
  { bundle_id }: AtBundle,
  comment: string | null | undefined,
): Promise<SupportBundleInfo> {
  const { row } = await need(cx, 'support_bundle', { bundle_id }, 'modify')
  refuseComment(comment)
  return change(cx, fleetScope, async (tx) => {
    const bundle = await tx.lock('support_bundle', row)
    return infoView(await tx.update('support_bundle', bundle, { user_comment: comment ?? null }))
  })
}

function refuseComment(comment: string | null | undefined): void {
  const problem = comment ? bundleCommentProblem(comment) : undefined
  if (problem) throw invalid(problem, 'Shorten the comment.')
}

export async function deleteBundle(cx: Cx, { bundle_id }: AtBundle): Promise<void> {
  const { row } = await need(cx, 'support_bundle', { bundle_id }, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const bundle = await tx.lock('support_bundle', row)
    if (!allows(supportBundleAllows, 'delete', bundle.state))
      throw invalid(
        `Cannot update support bundle state from ${bundle.state} to destroying`,
        'It is being deleted already and will disappear.',
      )
    await tx.update('support_bundle', bundle, { state: 'destroying' })
    await tx.job(bundleRemoval, { bundle_id: bundle.id })
  })
}
