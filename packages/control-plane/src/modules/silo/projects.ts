import type { SiloProject } from '@gantry/api/people/silo-contents'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { allow, know, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { resourceView } from '../../lookup/views.ts'

/** Projects of any silo with their quota usage; three queries, however long the page is. */
export async function listSiloProjects(
  cx: Cx,
  at: Selectors,
  query: ListQuery,
): Promise<{ items: SiloProject[]; next_page: string | null }> {
  const silo = await know(cx, 'silo', at)
  allow(cx, silo, 'list_children', { as: 'siloUsage' })
  const where = { silo_id: silo.row.id }
  const { items, next_page } = await listPage(
    cx,
    'project',
    query,
    () => ({ where }),
    (row) => row,
  )
  const ids = items.map(({ id }) => id)
  const [uses, instances] = [await usesOf(cx.db, ids), await instancesIn(cx.db, ids)]
  return {
    items: items.map((row) =>
      resourceView(row, {
        provisioned: uses.get(row.id) ?? { cpus: 0, memory: 0, storage: 0 },
        instance_count: instances.get(row.id) ?? 0,
      }),
    ),
    next_page,
  }
}

async function usesOf(db: Reader, ids: readonly string[]): Promise<Map<string, SiloProject['provisioned']>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('provisioning')
    .select(['id', 'cpus', 'memory', 'storage'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

async function instancesIn(db: Reader, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('instance')
    .select(['project_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('project_id', 'in', ids)
    .where('time_deleted', 'is', null)
    .groupBy('project_id')
    .execute()
  return new Map(rows.map(({ project_id, count }) => [project_id, count]))
}
