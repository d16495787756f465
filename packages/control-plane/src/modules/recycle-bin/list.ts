import type { RecycleBinUse } from '@gantry/api/history/recycle-bin'
import type { QueryOf } from '@gantry/api/op'
import { ops } from '@gantry/api/registry'
import { type RawBuilder, sql } from 'kysely'
import type { Action } from '@gantry/api/extensions.rules'
import type { Cx } from '../../context/cx.ts'
import { relationPage } from '../../list/keyset-page.ts'
import { timeKey } from '../../list/time-key.ts'
import { sees } from '../../lookup/location.ts'
import { allow, need, needOwnSilo } from '../../lookup/need.ts'
import { readQuota } from '../silo/quota.ts'
import { isKept, listed, viewOf } from './items.ts'
import { hoursOf } from './settings.ts'

interface Bin {
  silo_id: string
  /** Null for what is the silo's own: projects and images. */
  project_id: string | null
  which: RawBuilder<unknown>
}

/** The bin of a project, or of the caller's silo. */
export async function needBin(
  cx: Cx,
  { project }: { project?: string | null | undefined },
  action: Action,
  as?: 'projectNetwork',
): Promise<Bin> {
  if (project) {
    const found = await need(cx, 'project', { project }, action)
    if (as) allow(cx, found, action, { as })
    const { row } = found
    return { silo_id: row.silo_id, project_id: row.id, which: sql`t.project_id = ${row.id}` }
  }
  const { silo_id } = needOwnSilo(cx, action)
  return { silo_id, project_id: null, which: sql`t.silo_id = ${silo_id} AND t.project_id IS NULL` }
}

/** The last item of each deletion in the same bin stands for all of them. */
const isFirst = (cx: Cx): RawBuilder<unknown> => sql`(t.deletion_id IS NULL OR NOT EXISTS (
  SELECT 1 FROM recycled later WHERE later.deletion_id = t.deletion_id AND later.time_expires > ${cx.now()}
    AND later.project_id IS NOT DISTINCT FROM t.project_id
    AND (later.time_deleted, later.id) > (t.time_deleted, t.id)))`

/** By its id, or its deletion's, what was in any project of the silo is found by those who may see that project. */
function reachableIn(cx: Cx, { silo_id }: Bin): RawBuilder<unknown> {
  if (sees(cx, 'project', { silo_id, project_id: null })) return sql`t.silo_id = ${silo_id}`
  const { projects } = cx.user()
  return sql`t.silo_id = ${silo_id} AND (t.project_id IS NULL OR t.project_id = ANY (${projects}::uuid[]))`
}

export const listBin = (cx: Cx, query: QueryOf<typeof ops.recycleBinList>) =>
  relationPage(
    cx,
    ops.recycleBinList,
    listed(cx),
    query,
    {
      keys: { time_and_id: timeKey('time_deleted') },
      where: async (asked) => {
        const bin = await needBin(cx, asked, 'list_children')
        const { object, deletion } = asked
        if (!object && !deletion) return [bin.which, isKept(cx), isFirst(cx)]
        return [
          bin.project_id === null ? reachableIn(cx, bin) : bin.which,
          isKept(cx),
          ...(object ? [sql`t.object_id = ${object}`] : []),
          ...(deletion ? [sql`t.deletion_id = ${deletion}`] : []),
        ]
      },
    },
    (item) => viewOf(cx, item),
  )

export async function viewUse(cx: Cx, query: QueryOf<typeof ops.recycleBinUseView>): Promise<RecycleBinUse> {
  const { silo_id, project_id, which } = await needBin(cx, query, 'list_children')
  const { used, quota } = await readQuota(cx.db, silo_id)
  const { rows } = await sql<{ recycled: number; here: number; items: number; addresses: number }>`
    SELECT count(*)::int8 AS items, count(t.ip)::int8 AS addresses, coalesce(sum(t.storage), 0)::int8 AS here,
      (SELECT recycled FROM provisioning WHERE id = ${silo_id}) AS recycled
    FROM recycled t WHERE ${which} AND ${isKept(cx)}`.execute(cx.db)
  const { recycled = 0, here = 0, items = 0, addresses = 0 } = rows[0] ?? {}
  return {
    hours: await hoursOf(cx.db, cx.services, silo_id),
    storage: {
      used: used.storage,
      recycled,
      here: project_id === null ? recycled : here,
      quota: quota.storage,
    },
    items,
    addresses,
  }
}
