import type { SharedView, SharedViewCreate, SharedViewUpdate } from '@gantry/api/views/shared-view'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { need, needOwnSilo, type Selectors } from '../../lookup/need.ts'
import { withGeneration } from '../../lookup/views.ts'

type Shared = Row<'shared_view'>

/** With a project only its own, without one only the silo's. */
export async function listSharedViews(cx: Cx, query: ListQuery) {
  const { items, next_page } = await listPage(
    cx,
    'shared_view',
    query,
    async ({ project, list }) => {
      const ofList = list ? { list } : {}
      if (project) {
        const { row } = await need(cx, 'project', { project }, 'list_children')
        return { where: { project_id: row.id, ...ofList } }
      }
      const { silo_id } = needOwnSilo(cx, 'list_children', 'siloView')
      return { where: { silo_id, project_id: null, ...ofList } }
    },
    (row) => row,
  )
  return { items: await viewsOf(cx.db, items), next_page }
}

export async function viewSharedView(cx: Cx, at: Selectors): Promise<SharedView> {
  const { row } = await need(cx, 'shared_view', at, 'read')
  return viewOf(cx.db, row)
}

export async function createSharedView(
  cx: Cx,
  { project }: Selectors,
  { list, name, filter, sort, columns }: SharedViewCreate,
): Promise<SharedView> {
  const { user_id } = cx.user()
  const owner = project ? await need(cx, 'project', { project }, 'create_child') : undefined
  const place = owner
    ? { silo_id: owner.row.silo_id, project_id: owner.row.id }
    : { ...needOwnSilo(cx, 'create_child', 'siloView'), project_id: null }
  return change(cx, place, async (tx) => {
    await (place.project_id === null ? tx.hold('silo', place.silo_id) : tx.hold('project', place.project_id))
    const contents = { list, name, filter, sort, columns: JSON.stringify(columns) }
    return viewOf(tx.read, await tx.insert('shared_view', { ...contents, ...place, shared_by: user_id }))
  })
}

/** What is not given stays as it is. */
export async function updateSharedView(cx: Cx, at: Selectors, body: SharedViewUpdate): Promise<SharedView> {
  const { row: found, scope } = await need(cx, 'shared_view', at, 'modify')
  return change(cx, scope, async (tx) => {
    const row = await tx.lock('shared_view', found)
    const saved = await tx.update('shared_view', row, {
      name: body.name ?? row.name,
      filter: body.filter ?? row.filter,
      sort: body.sort ?? row.sort,
      columns: JSON.stringify(body.columns ?? row.columns),
    })
    return viewOf(tx.read, saved)
  })
}

export async function deleteSharedView(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'shared_view', at, 'modify')
  await change(cx, scope, async (tx) => tx.remove('shared_view', await tx.lock('shared_view', row)))
}

async function viewOf(db: Reader, row: Shared): Promise<SharedView> {
  const [view] = await viewsOf(db, [row])
  if (!view) throw new Error('a row makes a view')
  return view
}

async function viewsOf(db: Reader, rows: readonly Shared[]): Promise<SharedView[]> {
  const sharers = [...new Set(rows.map(({ shared_by }) => shared_by))]
  const users =
    sharers.length === 0
      ? []
      : await db
          .selectFrom('silo_user')
          .select(['id', 'external_id as name'])
          .where('id', 'in', sharers)
          .where('time_deleted', 'is', null)
          .execute()
  const byId = new Map(users.map((user) => [user.id, user]))
  return rows.map((row) => {
    const { id, list, name, filter, sort, columns, project_id, shared_by } = row
    const view: SharedView = {
      id,
      list,
      name,
      filter,
      sort,
      columns,
      project_id,
      shared_by: byId.get(shared_by) ?? null,
      time_created: row.time_created.toISOString(),
      time_modified: row.time_modified.toISOString(),
    }
    return withGeneration(view, row.generation)
  })
}
