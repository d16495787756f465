import type { Group, GroupCreate, GroupUpdate } from '@gantry/api/compute/affinity'
import { isUuid } from '@gantry/api/base/name.rules'
import type { Action } from '@gantry/api/extensions.rules'
import type { Row } from '../../db/tables.ts'
import { type Change, change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { notFound } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'
import type { Family } from './families.ts'

export type GroupRow = Row<Family['groups']>

export const groupView = (row: GroupRow): Group =>
  resourceView(row, {
    project_id: row.project_id,
    policy: row.policy,
    failure_domain: row.failure_domain,
  })

export async function createGroup(
  cx: Cx,
  family: Family,
  at: Selectors,
  body: GroupCreate,
): Promise<GroupRow> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  return change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    return tx.insert(family.groups, { ...body, project_id: project.id })
  })
}

/** Policy and failure domain are immutable. */
export async function updateGroup(
  cx: Cx,
  family: Family,
  at: Selectors,
  body: GroupUpdate,
): Promise<GroupRow> {
  const { row, scope } = await need(cx, family.groups, at, 'modify')
  return change(cx, scope, async (tx) => {
    const group = await tx.lock(family.groups, row)
    return tx.update(family.groups, group, {
      name: body.name ?? group.name,
      description: body.description ?? group.description,
    })
  })
}

/** Its members stay unchanged and in place. */
export async function deleteGroup(cx: Cx, family: Family, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, family.groups, at, 'modify')
  await change(cx, scope, async (tx) => {
    const group = await tx.lock(family.groups, row)
    await tx.plain.deleteFrom(family.members).where('group_id', '=', group.id).execute()
    await tx.remove(family.groups, group)
  })
}

/** The groups that a request names for an instance, without duplicates; names refer to the project. */
export async function resolveGroups(
  cx: Cx,
  family: Family,
  project: Row<'project'>,
  wanted: readonly string[],
  action: Action,
): Promise<string[]> {
  const ids: string[] = []
  for (const selector of wanted) {
    const at = { [family.groups]: selector, ...(isUuid(selector) ? {} : { project: project.id }) }
    const { row } = await need(cx, family.groups, at, action)
    if (row.project_id !== project.id) throw notFound(`${family.name}-group`, { id: row.id })
    ids.push(row.id)
  }
  return [...new Set(ids)]
}

/**
 * Locks groups until the transaction ends, in a fixed order: two instances cannot both take a group's last
 * place, nor can two members both choose a sled before either is placed.
 */
export async function lockGroups(
  tx: Change,
  family: Family,
  groupIds: readonly string[],
): Promise<GroupRow[]> {
  const groups: GroupRow[] = []
  for (const id of groupIds.toSorted()) groups.push(await tx.lockById(family.groups, id))
  return groups
}
