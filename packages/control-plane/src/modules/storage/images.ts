import type { Image } from '@gantry/api/image'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../kernel/cx.ts'
import type { Place } from '../../authz/policy.ts'
import { needed } from '../../authz/policy.ts'
import type { Scope } from '../../kernel/change.ts'
import { addressOf, aim, need, type Selectors } from '../../kernel/need.ts'
import { type ListQuery, listPage } from '../../kernel/page.ts'
import { forbidden, invalid } from '../../kernel/refusal.ts'
import { resourceView } from '../../kernel/views.ts'

export function imageView(row: Row<'image'>): Image {
  const { project_id, os, version, digest, block_size, size } = row
  return resourceView(row, { project_id, os, version, digest, block_size, size })
}

/** With a project only its own images, without one only the silo's (control plane reference, B 8.2). */
export function listImages(cx: Cx, query: ListQuery) {
  return listPage(
    cx,
    'image',
    query,
    async (selectors) => {
      if (selectors.project) {
        const { row } = await need(cx, 'project', selectors, 'list_children')
        return { where: { project_id: row.id } }
      }
      const { silo_id } = cx.user()
      cx.demand('list_children', { class: 'siloImage', silo_id })
      return { where: { silo_id, project_id: null } }
    },
    imageView,
  )
}

/** By id either kind; a name with a project is the project's image, a name alone the silo's. */
export async function needImage(
  cx: Cx,
  at: Selectors,
  action: 'read' | 'modify',
): Promise<{ row: Row<'image'>; scope: Scope & { silo_id: string } }> {
  const selector = at.image ?? ''
  const { silo_id } = cx.user()
  let query = cx.db
    .selectFrom('image')
    .selectAll()
    .where('time_deleted', 'is', null)
    .where('silo_id', '=', silo_id)
  if (isUuid(selector)) {
    if (at.project) throw invalid('when providing image as an ID, project should not be specified')
    query = query.where('id', '=', canonicalUuid(selector))
  } else if (at.project) {
    const { row: project } = await need(cx, 'project', { project: at.project }, 'read')
    query = query.where('name', '=', selector).where('project_id', '=', project.id)
  } else query = query.where('name', '=', selector).where('project_id', 'is', null)
  const row = await query.executeTakeFirst()
  const project_id = row?.project_id ?? null
  const place: Place = project_id
    ? { class: 'projectChild', silo_id, project_id }
    : { class: 'siloImage', silo_id }
  if (!row || !cx.can('read', place)) throw addressOf('image', selector)
  if (!cx.can(action, place)) throw forbidden(needed(action, place))
  if (action === 'modify') aim(cx, row)
  return { row, scope: { silo_id, project_id } }
}
