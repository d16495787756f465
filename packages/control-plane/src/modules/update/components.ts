import { type ComponentState, type UpdateKind, updateKindNames, updateKinds } from '@gantry/api/update.rules'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'

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

type Readable = Pick<Reader, 'selectFrom'>

/** All components in update order: one row per sled or switch, and kind. */
export async function componentsOf(db: Readable): Promise<Component[]> {
  const rows = await db.selectFrom('update_component').selectAll().execute()
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  const faults = await db
    .selectFrom('fault')
    .select(['kind', 'sled_id'])
    .where('kind', 'in', ['sled_lost', 'update_failure'])
    .where('time_ended', 'is', null)
    .execute()
  const having = (kind: string) =>
    new Set(faults.flatMap((fault) => (fault.kind === kind ? [fault.sled_id] : [])))
  const [lost, faulty] = [having('sled_lost'), having('update_failure')]
  return (await hardwareOf(db)).flatMap(({ of, id, serial, cubby }) =>
    updateKindNames
      .filter((kind) => updateKinds[kind].of === of)
      .map((kind) => ({
        kind,
        hardware_id: id,
        serial,
        cubby,
        is_lost: lost.has(id),
        is_faulty: faulty.has(id),
        row: byKey.get(keyOf({ kind, hardware_id: id })),
      })),
  )
}

const keyOf = ({ kind, hardware_id }: Pick<Stored, 'kind' | 'hardware_id'>): string =>
  `${kind} ${hardware_id}`

interface Hardware {
  of: 'sled' | 'switch' | 'rack'
  id: string
  serial: string | null
  cubby: number | null
}

async function hardwareOf(db: Readable): Promise<Hardware[]> {
  const sleds = await db
    .selectFrom('sled')
    .select(['id', 'serial', 'cubby'])
    .where('policy', '=', 'in_service')
    .where('state', '=', 'active')
    .where('time_deleted', 'is', null)
    .orderBy('rack_id')
    .orderBy('cubby')
    .execute()
  const switches = await db
    .selectFrom('switch')
    .select(['id', 'serial'])
    .where('time_deleted', 'is', null)
    .orderBy('serial')
    .orderBy('id')
    .execute()
  const racks = await db
    .selectFrom('rack')
    .select('id')
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .execute()
  return [
    ...sleds.map((sled) => ({ of: 'sled' as const, ...sled })),
    ...switches.map((each) => ({ of: 'switch' as const, ...each, cubby: null })),
    ...racks.map(({ id }) => ({ of: 'rack' as const, id, serial: null, cubby: null })),
  ]
}

/** Its state in the update to the target release. */
export function stateOf({ row }: Component, target: string | undefined): ComponentState {
  if (row?.state) return row.state
  return target === undefined || row?.version === target ? 'current' : 'pending'
}
