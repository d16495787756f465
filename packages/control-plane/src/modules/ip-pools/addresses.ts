import type { IpPoolAddress } from '@gantry/api/network/ip-pool'
import { isAddressKey } from '@gantry/api/network/ip-pool.rules'
import { ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { keysetPage, textKey } from '../../list/keyset-page.ts'
import type { Selectors } from '../../lookup/need.ts'
import { needPool } from './pools.ts'

interface Query {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: string | null | undefined
}

/** Several instances may share an address, so a position in the list needs the id too. */
const ip = textKey('ip_key', isAddressKey)

export async function listAddresses(
  cx: Cx,
  at: Selectors,
  query: Query,
): Promise<{ items: IpPoolAddress[]; next_page: string | null }> {
  const pool = await needPool(cx, at, 'list_children')
  const where = async () => [sql`t.ip_pool_id = ${pool.id}`]
  const { items, next_page } = await keysetPage(
    cx,
    ops.ipPoolAddressList,
    'external_ip',
    query,
    { keys: { ip }, where },
    (row) => row,
  )
  const holders = await holdersOf(cx.db, items)
  return { items: items.map((row) => view(row, holders.get(row.id))), next_page }
}

interface Holder {
  id: string
  instance_name: string | null
  probe_name: string | null
  project_name: string | null
  silo_name: string | null
}

/** The holder of each address, in one query for all of them. */
async function holdersOf(db: Reader, rows: readonly Row<'external_ip'>[]): Promise<Map<string, Holder>> {
  if (rows.length === 0) return new Map()
  const found = await sql<Holder>`
    SELECT e.id, i.name AS instance_name, b.name AS probe_name, p.name AS project_name, s.name AS silo_name
    FROM external_ip e
    LEFT JOIN instance i ON i.id = e.instance_id
    LEFT JOIN probe b ON b.id = e.probe_id
    LEFT JOIN project p ON p.id = coalesce(e.project_id, i.project_id, b.project_id)
    LEFT JOIN silo s ON s.id = p.silo_id
    WHERE e.id = ANY(${rows.map(({ id }) => id)}::uuid[])`.execute(db)
  return new Map(found.rows.map((holder) => [holder.id, holder]))
}

function view(row: Row<'external_ip'>, holder: Holder | undefined): IpPoolAddress {
  const { id, kind, first_port, last_port, name, instance_id, probe_id } = row
  const instance_name = holder?.instance_name ?? null
  const probe_name = holder?.probe_name ?? null
  return {
    id,
    ip: row.ip,
    kind,
    first_port,
    last_port,
    floating_ip: name === null ? null : { id, name },
    instance:
      instance_id === null || instance_name === null ? null : { id: instance_id, name: instance_name },
    probe: probe_id === null || probe_name === null ? null : { id: probe_id, name: probe_name },
    project_name: holder?.project_name ?? null,
    silo_name: holder?.silo_name ?? null,
    time_created: row.time_created.toISOString(),
  }
}
