import {
  type ComponentState,
  installDataset,
  type UpdateKind,
  updateKindNames,
  updateKinds,
} from '@gantry/api/system/update.rules'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { isOutOfReach } from '../hardware/out-of-reach.ts'

type Stored = Row<'update_component'>

/** A software component of the rack, and the state of its update. */
export interface Component {
  kind: UpdateKind
  hardware_id: string
  /** Null for the rack's own. */
  serial: string | null
  cubby: number | null
  /** Software cannot be installed on it now. */
  is_lost: boolean
  /** New software does not start on it. */
  is_faulty: boolean
  /** Undefined while it runs its original software. */
  row: Stored | undefined
}

type Readable = Pick<Reader, 'selectFrom' | 'getExecutor'>

/** All components in update order: one row per sled or switch, and kind. */
export async function componentsOf(db: Readable): Promise<Component[]> {
  const rows = await db.selectFrom('update_component').selectAll().execute()
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return (await hardwareOf(db)).flatMap(({ of, id, ...hardware }) =>
    updateKindNames
      .filter((kind) => updateKinds[kind].of === of)
      .map((kind) => ({
        ...hardware,
        kind,
        hardware_id: id,
        row: byKey.get(keyOf({ kind, hardware_id: id })),
      })),
  )
}

const keyOf = ({ kind, hardware_id }: Pick<Stored, 'kind' | 'hardware_id'>): string =>
  `${kind} ${hardware_id}`

interface Hardware extends Pick<Component, 'serial' | 'cubby' | 'is_lost' | 'is_faulty'> {
  of: 'sled' | 'switch' | 'rack'
  id: string
}

/** Sleds by place, then switches by serial number, then racks. */
async function hardwareOf(db: Readable): Promise<Hardware[]> {
  const { rows } = await sql<Hardware>`
    SELECT "of", id, serial, cubby, is_lost,
      EXISTS (SELECT FROM fault WHERE sled_id = part.id AND kind = 'update_failure' AND time_ended IS NULL) AS is_faulty
    FROM (
      SELECT 1 AS turn, 'sled' AS "of", id, rack_id::text AS place, serial, cubby, ${isOutOfReach} AS is_lost FROM sled
      WHERE policy = 'in_service' AND state = 'active' AND time_deleted IS NULL
      UNION ALL
      SELECT 2, 'switch', id, serial, serial, NULL, false FROM switch WHERE time_deleted IS NULL
      UNION ALL
      SELECT 3, 'rack', id, '', NULL, NULL, false FROM rack WHERE time_deleted IS NULL
    ) part
    ORDER BY turn, place, cubby, id`.execute(db)
  return rows
}

/** How many components run each release. */
export function countsOf(components: readonly Pick<Component, 'row'>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { row } of components) {
    const version = row?.version ?? installDataset
    counts[version] = (counts[version] ?? 0) + 1
  }
  return counts
}

/** Its state in the update to the target release. */
export function stateOf({ row }: Component, target: string | undefined): ComponentState {
  if (row?.state) return row.state
  return target === undefined || row?.version === target ? 'current' : 'pending'
}
