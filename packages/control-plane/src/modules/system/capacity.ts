import type { SystemCapacity } from '@gantry/api/system/system'
import { GiB, TiB } from '@gantry/api/base/bytes.rules'
import {
  capacityEstimate,
  storagePerSledTb,
  tibPerTb,
  utilizationFactor,
} from '@gantry/api/system/hardware.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { needFleet } from '../../lookup/need.ts'

/** As disks are sold. */
const TB = 1e12

export async function viewCapacity(cx: Cx): Promise<SystemCapacity> {
  needFleet(cx, 'read')
  return capacityOf(cx.db)
}

interface Sums {
  cpus: number
  memory: number
  storage: number
}

/** Sums of bytes are numeric in SQL; as int8 both drivers return numbers. */
const sumsOf = async (db: Reader, table: 'silo_quotas' | 'provisioning'): Promise<Sums> => {
  const live =
    table === 'silo_quotas'
      ? sql`JOIN silo ON silo.id = t.silo_id AND silo.time_deleted IS NULL`
      : sql`JOIN silo ON silo.id = t.id AND silo.time_deleted IS NULL AND t.kind = 'silo'`
  const { rows } = await sql<Sums>`
    SELECT coalesce(sum(t.cpus), 0)::int8 AS cpus, coalesce(sum(t.memory), 0)::int8 AS memory,
      coalesce(sum(t.storage), 0)::int8 AS storage FROM ${sql.table(table)} t ${live}`.execute(db)
  return rows[0] ?? { cpus: 0, memory: 0, storage: 0 }
}

interface Physical {
  physical: SystemCapacity['physical']
  /** Bytes for disks, if all sleds are hosts that say how many they have. */
  storage: number | null
}

async function physicalOf(db: Reader): Promise<Physical> {
  const { rows } = await sql<SystemCapacity['physical'] & { storage: number | null }>`
    SELECT count(*)::int8 AS sleds, coalesce(sum(s.usable_hardware_threads), 0)::int8 AS hardware_threads,
      coalesce(sum(s.usable_hardware_threads * s.vcpus_per_thread), 0)::int8 AS vcpus,
      coalesce(sum(s.usable_physical_ram), 0)::int8 AS physical_ram, coalesce(sum(s.reservoir_size), 0)::int8 AS reservoir,
      coalesce(sum(u.threads), 0)::int8 AS threads_reserved, coalesce(sum(u.memory), 0)::int8 AS memory_reserved,
      CASE WHEN count(s.storage_size) = count(*) THEN sum(s.storage_size)::int8 END AS storage
    FROM sled s JOIN sled_usage u ON u.sled_id = s.id
    WHERE s.time_deleted IS NULL AND s.policy = 'in_service'`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a sum without a row')
  const { storage, ...physical } = row
  return { physical, storage }
}

export async function capacityOf(db: Reader): Promise<SystemCapacity> {
  const { physical, storage } = await physicalOf(db)
  const { sleds, hardware_threads, vcpus, physical_ram } = physical
  const { cpus, memory_gib, storage_tib } = capacityEstimate(sleds, vcpus, physical_ram / GiB)
  return {
    provisioned: await sumsOf(db, 'provisioning'),
    allocated: await sumsOf(db, 'silo_quotas'),
    physical,
    estimate: {
      sleds,
      hardware_threads,
      vcpus_per_thread: hardware_threads === 0 ? 1 : vcpus / hardware_threads,
      physical_ram,
      utilization_factor: utilizationFactor,
      storage_per_sled_tb: storage === null ? storagePerSledTb : storage / sleds / TB,
      tib_per_tb: tibPerTb,
      cpus,
      memory: memory_gib * GiB,
      storage: storage === null ? storage_tib * TiB : Math.ceil((utilizationFactor * storage) / GiB) * GiB,
    },
  }
}
