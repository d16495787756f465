import type { PhysicalDisk, Rack, Sled, Switch } from '@gantry/api/system/hardware'
import type { ProvisionPolicy } from '@gantry/api/system/hardware.rules'
import type { Row } from '../../db/tables.ts'
import { generationKey } from '../../lookup/etag.ts'

interface Piece {
  id: string
  time_created: Date
  time_modified: Date
  generation: number
}

const identity = ({ id, time_created, time_modified, generation }: Piece) => ({
  id,
  time_created: time_created.toISOString(),
  time_modified: time_modified.toISOString(),
  [generationKey]: generation,
})

const baseboard = ({ part, serial, revision }: Sled['baseboard']) => ({ part, serial, revision })

export const rackView = (row: Row<'rack'>): Rack => identity(row)

export const policyOf = ({ is_provisionable }: Pick<Row<'sled'>, 'is_provisionable'>): ProvisionPolicy =>
  is_provisionable ? 'provisionable' : 'non_provisionable'

export const sledView = (row: Row<'sled'>): Sled => ({
  ...identity(row),
  baseboard: baseboard(row),
  rack_id: row.rack_id,
  policy:
    row.policy === 'in_service'
      ? { kind: row.policy, provision_policy: policyOf(row) }
      : { kind: row.policy },
  state: row.state,
  usable_hardware_threads: row.usable_hardware_threads,
  usable_physical_ram: row.usable_physical_ram,
  slot: row.cubby,
})

export const diskView = (row: Row<'physical_disk'>): PhysicalDisk => ({
  ...identity(row),
  policy: { kind: row.policy },
  state: row.state,
  sled_id: row.sled_id,
  vendor: row.vendor,
  serial: row.serial,
  model: row.model,
  form_factor: row.form_factor,
})

export const switchView = (row: Row<'switch'>): Switch => ({
  ...identity(row),
  baseboard: baseboard(row),
  rack_id: row.rack_id,
})
