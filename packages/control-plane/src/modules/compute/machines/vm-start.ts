import { sql } from 'kysely'
import { z } from 'zod'
import type { MachineInterface, MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { change, type Scope } from '@gantry/control-plane/change/change'
import { type Cx, systemCx } from '@gantry/control-plane/context/cx'
import type { Services } from '@gantry/control-plane/context/services'
import type { Reader } from '@gantry/control-plane/db/database'
import { defineJob } from '@gantry/control-plane/change/define-job'
import { runLater } from '@gantry/control-plane/change/run-later'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { failureOf } from '@gantry/control-plane/work/jobs'
import { disksInSlots } from '@gantry/control-plane/fleet/disk-slots'
import type { Row } from '@gantry/control-plane/db/tables'
import { bringIntoForce } from '../../network/in-force/bring-into-force.ts'
import { formatMac } from '../../network/addresses/ip.ts'
import { type Making, makingOf } from '../../storage/content.ts'
import { createVolume } from '../../storage/content-references.ts'
import { allowsJumboFrames, jumboMtu } from '../../system-network/networking-settings.ts'
import { machineHardware } from './firmware.ts'
import { machineCds } from './machine-cds.ts'
import { fail } from './lifecycle.ts'

/** The instance that a VM runs, with the scope of its changes; undefined when the VM has ended. */
export async function ownerOf(
  db: Reader,
  vmmId: string,
): Promise<{ instance_id: string; silo_id: string; scope: Scope } | undefined> {
  const row = await db
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.id', 'vmm.instance_id')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select(['instance.id as instance_id', 'project.silo_id', 'project.id as project_id'])
    .where('vmm.id', '=', vmmId)
    .where('vmm.time_gone', 'is', null)
    .executeTakeFirst()
  return row && { ...row, scope: { silo_id: row.silo_id, project_id: row.project_id } }
}

/**
 * Gives the machine its disks and its network, and powers it on. A machine whose reservation has ended meanwhile is
 * destroyed, whether or not the fleet knows it.
 */
export const vmStart = defineJob(
  'vm-start',
  z.object({ vmm_id: z.string() }),
  async (cx, { vmm_id }) => {
    const { db, services } = cx
    const { machines } = services.fleet
    const owner = await ownerOf(db, vmm_id)
    if (owner) {
      const making = await ensureDisks(services, owner.instance_id)
      if (making) return startLater(cx, vmm_id, making)
      await ensureNetwork(services, owner.instance_id)
      await machines.ensure(await specOf(services, owner.scope, vmm_id))
      const started = await services.db
        .updateTable('vmm')
        .set({ time_started: services.clock() })
        .where('id', '=', vmm_id)
        .where('time_gone', 'is', null)
        .executeTakeFirst()
      if (started.numUpdatedRows > 0n) return
    }
    await machines.destroy([vmm_id])
  },
  {
    maxAttempts: 10,
    async gaveUp(cx, { vmm_id }, error) {
      const owner = await ownerOf(cx.db, vmm_id)
      if (!owner) return
      await change(systemCx(cx.services, 'job:vm-start'), owner.scope, async (tx) => {
        const instance = await tx.lockById('instance', owner.instance_id).catch(ignoreNotFound)
        if (instance?.vmm_id !== vmm_id) return
        const reason = failureOf(error, cx.now(), 'The machine could not be started.')
        await fail(tx, instance, owner.silo_id, reason)
      })
    },
  },
)

/** A machine gets its interfaces from a network that is in force. */
async function ensureNetwork(services: Services, instanceId: string): Promise<void> {
  const { networks } = services.fleet
  if (!networks) return
  const vpcs = await services.db
    .selectFrom('network_interface')
    .select('vpc_id')
    .distinct()
    .where('instance_id', '=', instanceId)
    .where('time_deleted', 'is', null)
    .execute()
  for (const { vpc_id } of vpcs) await bringIntoForce(services, networks, vpc_id)
}

/**
 * Starts the machine after the bytes of its disks are made: by a new job, because waiting would use up this one's
 * attempts, or a slot for hours. The wait is short beside the time that a copy has taken so far.
 */
async function startLater(cx: Cx, vmm_id: string, { time_created }: Making): Promise<void> {
  const soFar = cx.now().getTime() - time_created.getTime()
  await runLater(cx, vmStart, { vmm_id }, Math.min(Math.max(soFar / 8, shortestWaitMs), longestWaitMs))
}

const shortestWaitMs = 100
const longestWaitMs = 5000
/** A job runs again within this time, unless it failed so often that its next attempt is left to a later job. */
const soonMs = 60_000

/**
 * Returns the job that is copying the bytes of an attached disk, or will soon. Bytes that it would copy much later are
 * copied here, because the cause of its failures may be mended by now; those of an empty disk are made here, because
 * they take less time than its job may wait behind copies. Bytes without a job are lost: the fleet says so, because an
 * empty disk in their place would look like success.
 */
export async function ensureDisks(services: Services, instanceId: string): Promise<Making | undefined> {
  const { rows } = await sql<{ id: string; content_id: string; size: number; from: string | null }>`
    SELECT d.id, d.content_id, d.size, coalesce(i.content_id, s.content_id) AS "from" FROM disk d
    LEFT JOIN image i ON i.id = d.image_id LEFT JOIN snapshot s ON s.id = d.snapshot_id
    WHERE d.instance_id = ${instanceId} AND d.time_deleted IS NULL`.execute(services.db)
  for (const { id, content_id, size, from } of rows) {
    const own = await services.fleet.volumes.size(content_id)
    // The disk has grown, and its bytes have not followed yet.
    if (own !== undefined && own < size) await services.fleet.volumes.grow(content_id, size)
    if (own !== undefined) continue
    const making = await makingOf(services.db, id)
    if (!making) continue
    const isSoon = making.run_at.getTime() < services.clock().getTime() + soonMs
    if (isSoon && from !== null) return making
    await createVolume(services, { content_id, size, from: from ?? undefined })
  }
  return undefined
}

/** The machine's specification at power-on, from the instance's records. */
async function specOf(services: Services, scope: Scope, vmmId: string): Promise<MachineSpec> {
  const { db } = services
  const instance = await db
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.id', 'vmm.instance_id')
    .selectAll('instance')
    .select('vmm.sled_id')
    .where('vmm.id', '=', vmmId)
    .executeTakeFirstOrThrow()
  const disks = await db
    .selectFrom('disk')
    .leftJoin('image', 'image.id', 'disk.image_id')
    .select(['disk.id', 'disk.name', 'disk.content_id', 'disk.size', 'disk.block_size', 'disk.slot'])
    .select(['disk.read_only', 'image.os', 'image.version'])
    .where('disk.instance_id', '=', instance.id)
    .where('disk.time_deleted', 'is', null)
    .execute()
  const inSlots = disksInSlots(
    disks.flatMap(({ slot, ...disk }) => (slot === null ? [] : { ...disk, slot })),
    instance.boot_disk_id,
  )
  const boot = inSlots.find(({ is_boot }) => is_boot)
  return {
    id: vmmId,
    instance_id: instance.id,
    host_id: instance.sled_id,
    name: instance.name,
    hostname: instance.hostname,
    ncpus: instance.ncpus,
    memory: instance.memory,
    user_data: instance.user_data,
    ssh_keys: await keysOf(db, instance.id),
    disks: inSlots.map(({ id, name, content_id, size, block_size, slot, is_boot, read_only }) => ({
      id,
      name,
      content_id,
      size,
      block_size,
      slot,
      is_boot,
      read_only,
    })),
    interfaces: await interfacesOf(db, instance),
    hardware: await machineHardware(services, scope, instance),
    cds: await machineCds(db, instance),
    os: boot?.os ?? '',
    version: boot?.version ?? '',
  }
}

/** Jumbo frames are in force from a start on that finds them allowed on the rack. */
async function interfacesOf(
  db: Reader,
  { id, enable_jumbo_frames }: Pick<Row<'instance'>, 'id' | 'enable_jumbo_frames'>,
): Promise<MachineInterface[]> {
  const hasJumboFrames = enable_jumbo_frames && (await allowsJumboFrames(db))
  const interfaces = await db
    .selectFrom('network_interface')
    .innerJoin('vpc_subnet', 'vpc_subnet.id', 'network_interface.subnet_id')
    .select([
      'network_interface.id',
      'network_interface.name',
      'network_interface.slot',
      'network_interface.mac_int',
      'network_interface.ip',
      'network_interface.ipv6',
      'network_interface.is_primary',
      'network_interface.vpc_id',
      'network_interface.subnet_id',
      'network_interface.transit_ips',
    ])
    .select('vpc_subnet.ipv4_block as subnet')
    .where('network_interface.instance_id', '=', id)
    .where('network_interface.time_deleted', 'is', null)
    .orderBy('network_interface.slot')
    .execute()
  return interfaces.map(({ mac_int, ...rest }) => ({
    ...rest,
    mac: formatMac(mac_int),
    ...(hasJumboFrames && rest.is_primary && { mtu: jumboMtu }),
  }))
}

async function keysOf(db: Reader, instanceId: string): Promise<string[]> {
  const keys = await db
    .selectFrom('instance_ssh_key')
    .innerJoin('ssh_key', 'ssh_key.id', 'instance_ssh_key.ssh_key_id')
    .select('ssh_key.public_key')
    .where('instance_ssh_key.instance_id', '=', instanceId)
    .where('ssh_key.time_deleted', 'is', null)
    .orderBy('ssh_key.name')
    .execute()
  return keys.map(({ public_key }) => public_key)
}
