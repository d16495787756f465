import type { SiloQuotas, SiloUtilization } from '@gantry/api/people/system-silo'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listAll, listPage } from '../../list/page.ts'
import { quotasView } from './quotas.ts'

type Page<Item> = { items: Item[]; next_page: string | null }

/** An undiscoverable silo is shown once it has a quota. */
export async function listUtilization(cx: Cx, query: ListQuery): Promise<Page<SiloUtilization>> {
  needFleet(cx, 'list_children')
  const { items, next_page } = await listPage(
    cx,
    'silo',
    query,
    () => ({
      where: {},
      and: sql`(t.discoverable OR EXISTS (SELECT 1 FROM silo_quotas q WHERE q.silo_id = t.id
        AND (q.cpus > 0 OR q.memory > 0 OR q.storage > 0)))`,
    }),
    (row) => row,
  )
  return { items: await utilizationOf(cx.db, items), next_page }
}

export async function viewUtilization(cx: Cx, at: Selectors): Promise<SiloUtilization> {
  const { row: silo } = await need(cx, 'silo', at, 'read')
  const [utilization] = await utilizationOf(cx.db, [silo])
  if (!utilization) throw new Error('a silo without quotas')
  return utilization
}

export async function listQuotas(cx: Cx, query: ListQuery): Promise<Page<SiloQuotas>> {
  needFleet(cx, 'list_children')
  const { items, next_page } = await listAll(cx, 'silo', query, ({ id }) => id)
  const quotas = await quotasOf(cx.db, items)
  return { items: items.flatMap((id) => quotas.get(id) ?? []).map(quotasView), next_page }
}

/** In the silos' order, with two queries for all of them. */
async function utilizationOf(db: Reader, silos: readonly Row<'silo'>[]): Promise<SiloUtilization[]> {
  const ids = silos.map(({ id }) => id)
  const quotas = await quotasOf(db, ids)
  const used =
    ids.length > 0 ? await db.selectFrom('provisioning').selectAll().where('id', 'in', ids).execute() : []
  const uses = new Map(used.map((row) => [row.id, row]))
  return silos.flatMap(({ id, name }) => {
    const quota = quotas.get(id)
    const use = uses.get(id)
    return quota && use
      ? [{ silo_id: id, silo_name: name, provisioned: counts(use), allocated: counts(quota) }]
      : []
  })
}

async function quotasOf(db: Reader, ids: string[]): Promise<Map<string, Row<'silo_quotas'>>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('silo_quotas').selectAll().where('silo_id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.silo_id, row]))
}

const counts = ({ cpus, memory, storage }: { cpus: number; memory: number; storage: number }) => ({
  cpus,
  memory,
  storage,
})
