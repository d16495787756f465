import { sql } from 'kysely'
import { z } from 'zod'
import type { GuestFacts } from '../../fleet/guest/guest.ts'
import { change, type Scope } from '../../kernel/change.ts'
import { systemCx } from '../../kernel/cx.ts'
import type { Services } from '../../kernel/services.ts'
import type { Reader } from '../../db/database.ts'
import { defineJob } from '../../kernel/define-job.ts'
import { ignoreNotFound } from '../../kernel/gone.ts'
import { failureOf } from '../../kernel/jobs.ts'
import { createShown } from '../storage/shown.ts'
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

/** Gives the VM its disks and starts it on its sled. A VM that was stopped meanwhile is skipped. */
export const vmStart = defineJob(
  'vm-start',
  z.object({ vmm_id: z.string() }),
  async (cx, { vmm_id }) => {
    const owner = await ownerOf(cx.db, vmm_id)
    if (!owner) return
    await ensureDisks(cx.services, owner.instance_id)
    const facts = await gatherFacts(cx.db, owner.instance_id)
    await change(cx, owner.scope, async (tx) => {
      const instance = await tx.lock('instance', owner.instance_id).catch(ignoreNotFound)
      if (instance?.vmm_id !== vmm_id || instance.run_state !== 'starting') return
      const vmm = await tx.plain
        .selectFrom('vmm')
        .select('sled_id')
        .where('id', '=', vmm_id)
        .executeTakeFirstOrThrow()
      await cx.services.fleet.start(tx, { id: vmm_id, instance_id: instance.id, sled_id: vmm.sled_id, facts })
    })
  },
  {
    maxAttempts: 10,
    async gaveUp(cx, { vmm_id }, error) {
      const owner = await ownerOf(cx.db, vmm_id)
      if (!owner) return
      await change(systemCx(cx.services, 'job:vm-start'), owner.scope, async (tx) => {
        const instance = await tx.lock('instance', owner.instance_id).catch(ignoreNotFound)
        if (instance?.vmm_id === vmm_id) await fail(tx, instance, owner.silo_id, failureOf(error, cx.now()))
      })
    },
  },
)

/** Creates the bytes of every attached disk whose own job has not run yet. */
async function ensureDisks(services: Services, instanceId: string): Promise<void> {
  const { rows } = await sql<{ content_id: string; size: number; from: string | null }>`
    SELECT d.content_id, d.size, coalesce(i.content_id, s.content_id) AS "from" FROM disk d
    LEFT JOIN image i ON i.id = d.image_id LEFT JOIN snapshot s ON s.id = d.snapshot_id
    WHERE d.instance_id = ${instanceId} AND d.time_deleted IS NULL`.execute(services.db)
  for (const { content_id, size, from } of rows) {
    if ((await services.blocks.size(content_id)) === undefined)
      await createShown(services, { content_id, size, from: from ?? undefined })
  }
}

/** What the guest will find in its VM. */
async function gatherFacts(db: Reader, instanceId: string): Promise<GuestFacts> {
  const instance = await db
    .selectFrom('instance')
    .selectAll()
    .where('id', '=', instanceId)
    .executeTakeFirstOrThrow()
  const disks = await db
    .selectFrom('disk')
    .leftJoin('image', 'image.id', 'disk.image_id')
    .select(['disk.id', 'disk.name', 'disk.size', 'disk.block_size', 'image.os', 'image.version'])
    .where('disk.instance_id', '=', instanceId)
    .where('disk.time_deleted', 'is', null)
    .orderBy('disk.name')
    .execute()
  const interfaces = await db
    .selectFrom('network_interface')
    .innerJoin('vpc_subnet', 'vpc_subnet.id', 'network_interface.subnet_id')
    .select([
      'network_interface.name',
      'network_interface.mac_int',
      'network_interface.ip',
      'network_interface.is_primary',
    ])
    .select('vpc_subnet.ipv4_block')
    .where('network_interface.instance_id', '=', instanceId)
    .where('network_interface.time_deleted', 'is', null)
    .orderBy('network_interface.slot')
    .execute()
  const keys = await db
    .selectFrom('instance_ssh_key')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
  const boot = disks.find((disk) => disk.id === instance.boot_disk_id) ?? disks[0]
  return {
    instance_id: instance.id,
    name: instance.name,
    hostname: instance.hostname,
    ncpus: instance.ncpus,
    memory: instance.memory,
    disks: disks.map(({ id, name, size, block_size }) => ({
      name,
      size,
      block_size,
      is_boot: id === boot?.id,
    })),
    interfaces: interfaces.map(({ name, mac_int, ip, is_primary, ipv4_block }) => ({
      name,
      mac: macText(mac_int),
      ip,
      prefix_length: Number(ipv4_block.split('/')[1]),
      is_primary,
    })),
    os: boot?.os ?? 'Linux',
    version: boot?.version ?? '',
    ssh_keys: keys?.count ?? 0,
  }
}

const macText = (mac: number): string =>
  mac.toString(16).toUpperCase().padStart(12, '0').match(/../g)?.join(':') ?? ''
