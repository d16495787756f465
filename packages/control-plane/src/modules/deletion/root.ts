import type { PlannedKind } from '@gantry/api/history/deletion.rules'
import { hasFleetRoles } from '../../authz/fleet-stake.ts'
import type { Cx } from '../../context/cx.ts'
import { allow, type Known, know, need } from '../../lookup/need.ts'
import type { KindName } from '../../lookup/kinds.ts'
import { needPool } from '../ip-pools/pools.ts'

/** The object that is to be deleted, with which the caller may do so. */
export interface Root {
  kind: PlannedKind
  id: string
  name: string
  scope: { silo_id: string | null; project_id: string | null }
}

export const rootTables = {
  project: 'project',
  vpc: 'vpc',
  silo: 'silo',
  'ip-pool': 'ip_pool',
  image: 'image',
} as const satisfies Record<PlannedKind, KindName>

/** Refuses as the deletion itself would: 404 or 403. */
export async function needRoot(cx: Cx, kind: PlannedKind, id: string): Promise<Root> {
  switch (kind) {
    case 'project': {
      const { row, scope } = await need(cx, 'project', { project: id }, 'modify')
      return { kind, id: row.id, name: row.name, scope: { ...scope, project_id: row.id } }
    }
    case 'vpc':
    case 'image': {
      const { row, scope } = await need(cx, kind, { [kind]: id }, 'modify')
      return { kind, id: row.id, name: row.name, scope }
    }
    case 'silo': {
      const found: Known<'silo'> = await know(cx, 'silo', { silo: id })
      allow(cx, found, 'modify', { fleet_stake: await hasFleetRoles(cx.db, found.row) })
      return { kind, id: found.row.id, name: found.row.name, scope: found.scope }
    }
    case 'ip-pool': {
      const pool = await needPool(cx, { pool: id }, 'modify')
      return { kind, id: pool.id, name: pool.name, scope: { silo_id: null, project_id: null } }
    }
    default:
      return kind satisfies never
  }
}
