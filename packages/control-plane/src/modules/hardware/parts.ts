import { GiB } from '@gantry/api/base/bytes.rules'
import type { DiskFormFactor } from '@gantry/api/system/hardware.rules'
import type { Row } from '../../db/tables.ts'
import type { Change, Fresh } from '../../change/change.ts'

export const sledPart = 'gantry-sled'

/** Share of a sled's memory that is set aside for instances, in whole GiB. */
const reservoirShare = 0.8

/** Physical disks of a sled: two to boot from, and ten for instance data. */
const disksOf: readonly { form_factor: DiskFormFactor; count: number; vendor: string; model: string }[] = [
  { form_factor: 'm2', count: 2, vendor: 'Norrland', model: 'NM-960' },
  { form_factor: 'u2', count: 10, vendor: 'Norrland', model: 'NU-3200' },
]

/** Bytes of a disk for instance data, the `u2` ones above: 3.2 TB in whole sectors. */
export const dataDiskSize = 3_200_631_791_616

type SledService = Pick<Row<'sled'>, 'policy' | 'state' | 'is_provisionable'>
export type NewSled = Pick<
  Row<'sled'>,
  'part' | 'serial' | 'revision' | 'rack_id' | 'cubby' | 'usable_hardware_threads' | 'usable_physical_ram'
> &
  Partial<SledService>

type SledRow = Fresh<'sled'> & SledService & { id: string; serial: string }

/** Adds sleds to the rack, each with its disks and usage counters. Returns their ids. */
export async function insertSleds(tx: Change, sleds: readonly NewSled[]): Promise<string[]> {
  const rows = sleds.map((sled): SledRow => {
    const { part, serial, revision, rack_id, cubby, usable_hardware_threads, usable_physical_ram } = sled
    return {
      id: tx.cx.newId(),
      part,
      serial,
      revision,
      rack_id,
      cubby,
      // Newer processors in every fourth slot.
      cpu_family: cubby % 4 === 3 ? 'amd_turin' : 'amd_milan',
      usable_hardware_threads,
      usable_physical_ram,
      reservoir_size: Math.floor((usable_physical_ram / GiB) * reservoirShare) * GiB,
      policy: sled.policy ?? 'in_service',
      state: sled.state ?? 'active',
      is_provisionable: sled.is_provisionable ?? true,
    }
  })
  const ids = rows.map(({ id }) => id)
  await tx.insertAll('sled', rows)
  await tx.plain
    .insertInto('sled_usage')
    .values(ids.map((sled_id) => ({ sled_id })))
    .execute()
  await tx.insertAll('physical_disk', rows.flatMap(disksIn))
  return ids
}

const disksIn = ({ id, serial, policy, state }: SledRow): Fresh<'physical_disk'>[] =>
  disksOf.flatMap(({ count, ...disk }) =>
    Array.from({ length: count }, (_, index) => ({
      ...disk,
      sled_id: id,
      serial: `${serial}-${disk.form_factor.toUpperCase()}${String(index).padStart(2, '0')}`,
      policy,
      state,
    })),
  )
