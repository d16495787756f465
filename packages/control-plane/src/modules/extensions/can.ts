import type { Action } from '@gantry/api/extensions.rules'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import { needed, type Place } from '../../authz/policy.ts'
import type { Cx } from '../../kernel/cx.ts'

interface Check {
  action: Action
  object: 'fleet' | 'silo' | 'project'
  id?: string | null | undefined
}
interface Verdict {
  allowed: boolean
  reason: string | null
}

/** Answers by the table that decides; an object the caller may not know of is simply not allowed. */
export async function checkPermissions(cx: Cx, checks: readonly Check[]): Promise<{ verdicts: Verdict[] }> {
  const verdicts: Verdict[] = []
  for (const check of checks) {
    const place = await placeOf(cx, check)
    const allowed = place !== undefined && cx.can(check.action, place)
    verdicts.push({
      allowed,
      reason: allowed ? null : `You need ${needed(check.action, place?.class ?? 'project')}`,
    })
  }
  return { verdicts }
}

async function placeOf(cx: Cx, { object, id }: Check): Promise<Place | undefined> {
  const { silo_id } = cx.user()
  if (object === 'fleet') return { class: 'fleet' }
  if (object === 'silo') return { class: 'silo', silo_id }
  if (!id) return undefined
  const projects = cx.db
    .selectFrom('project')
    .select('id')
    .where('silo_id', '=', silo_id)
    .where('time_deleted', 'is', null)
  const row = await (
    isUuid(id) ? projects.where('id', '=', canonicalUuid(id)) : projects.where('name', '=', id)
  ).executeTakeFirst()
  return row && { class: 'project', silo_id, project_id: row.id }
}
