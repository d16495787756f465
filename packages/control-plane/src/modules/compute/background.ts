import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { GuestFacts } from '../../fleet/guest/guest.ts'
import { change, type Scope } from '../../kernel/change.ts'
import { latestPast } from '../../kernel/clock.ts'
import { type Reader, type Services, systemCx } from '../../kernel/cx.ts'
import { goneIsNothing } from '../../kernel/gone.ts'
import type { JobKind } from '../../kernel/jobs.ts'
import { failureOf } from '../../kernel/jobs.ts'
import { eachInTurn, type Reconciler } from '../../kernel/loop.ts'
import { autoRestartCooldownSeconds } from '@gantry/api/instance.rules'
import { createShown } from '../storage/shown.ts'
import { fail, fold, tryStart } from './lifecycle.ts'

const batch = 64

/** The instance that a machine process runs, with whom to tell; undefined when the process has ended. */
async function ownerOf(
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

/** Gives the machine its disks and starts it on its sled. A machine that was stopped meanwhile is left alone. */
export const vmStart: JobKind = {
  maxAttempts: 10,
  async run(cx, args) {
    const { vmm_id } = args as { vmm_id: string }
    const owner = await ownerOf(cx.db, vmm_id)
    if (!owner) return
    await ensureDisks(cx.services, owner.instance_id)
    const facts = await gatherFacts(cx.db, owner.instance_id)
    await change(cx, owner.scope, async (tx) => {
      const instance = await tx.lock('instance', owner.instance_id).catch(goneIsNothing)
      if (instance?.vmm_id !== vmm_id || instance.run_state !== 'starting') return
      const vmm = await tx.plain
        .selectFrom('vmm')
        .select('sled_id')
        .where('id', '=', vmm_id)
        .executeTakeFirstOrThrow()
      await cx.services.fleet.start(tx, { id: vmm_id, instance_id: instance.id, sled_id: vmm.sled_id, facts })
    })
  },
  async gaveUp(cx, args, error) {
    const { vmm_id } = args as { vmm_id: string }
    const owner = await ownerOf(cx.db, vmm_id)
    if (!owner) return
    await change(systemCx(cx.services, 'job:vm-start'), owner.scope, async (tx) => {
      const instance = await tx.lock('instance', owner.instance_id).catch(goneIsNothing)
      if (instance?.vmm_id === vmm_id) await fail(tx, instance, owner.silo_id, failureOf(error, cx.now()))
    })
  },
}

/** The bytes of every attached disk, made if their own job has not come round to it yet. */
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

/** What the guest will find in its machine. */
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

/** Takes in what machines have to report, oldest first. */
export const fleetNews: Reconciler = {
  name: 'fleet',
  everyMs: 1000,
  async run(services) {
    const { ids, nextInMs } = await services.fleet.news(services.db, services.clock(), batch)
    await eachInTurn(services, 'fleet', ids, (vmmId) => takeNews(services, vmmId))
    return ids.length === batch ? 0 : nextInMs
  },
}

async function takeNews(services: Services, vmmId: string): Promise<void> {
  const cx = systemCx(services, 'reconcile:fleet')
  const owner = await ownerOf(cx.db, vmmId)
  if (!owner) {
    // The reservation is gone; what the fleet still knows of the machine goes too.
    await change(cx, { silo_id: null, project_id: null }, (tx) => services.fleet.forget(tx, vmmId))
    return
  }
  const state = await change(cx, owner.scope, async (tx) => {
    const instance = await tx.lock('instance', owner.instance_id).catch(goneIsNothing)
    const report = await services.fleet.report(tx, vmmId)
    if (report && instance?.vmm_id === vmmId) await fold(tx, instance, owner.silo_id, report)
    return report?.state
  })
  if (state === 'failed') services.wake.restarts()
}

/** Starts failed instances again: wanted running, allowed to, and not cooling down (control plane reference, B 3.13). */
export const autoRestart: Reconciler = {
  name: 'restarts',
  everyMs: 60_000,
  async run(services) {
    // All of them, a batch at a time: those that no sled can take must not keep the others waiting.
    for (let after: string | undefined; ;) {
      const rows = await restartable(services, after)
      await eachInTurn(services, 'restarts', rows, ({ id, ...scope }) => restart(services, id, scope))
      after = rows.at(-1)?.id
      if (rows.length < batch) return
    }
  },
}

function restartable(services: Services, after: string | undefined) {
  const now = services.clock()
  const cooled = new Date(now.getTime() - autoRestartCooldownSeconds * 1000)
  const rows = services.db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select(['instance.id', 'project.silo_id', 'project.id as project_id'])
    .where('instance.time_deleted', 'is', null)
    .where('run_state', '=', 'failed')
    .where('intended_state', '=', 'running')
    .where((eb) =>
      eb.or([eb('auto_restart_policy', 'is', null), eb('auto_restart_policy', '=', 'best_effort')]),
    )
    .where((eb) =>
      eb.or([
        eb('time_last_auto_restarted', 'is', null),
        eb('time_last_auto_restarted', '<=', cooled),
        eb('time_last_auto_restarted', '>', latestPast(now)),
      ]),
    )
    .orderBy('instance.id')
    .limit(batch)
  return (after === undefined ? rows : rows.where('instance.id', '>', after)).execute()
}

async function restart(
  services: Services,
  instanceId: string,
  scope: { silo_id: string; project_id: string },
): Promise<void> {
  const cx = systemCx(services, 'reconcile:auto-restart')
  await change(cx, scope, async (tx) => {
    const instance = await tx.lock('instance', instanceId).catch(goneIsNothing)
    if (instance?.run_state !== 'failed' || instance.intended_state !== 'running') return
    const started = await tryStart(tx, instance, scope.silo_id, undefined, {
      time_last_auto_restarted: cx.now(),
    })
    if ('instance' in started) return
    const failure: Row<'instance'>['failure'] = failureOf(started.refusal, cx.now())
    // The newest reason is the one to act on; an unchanged one is not written again every minute.
    if (instance.failure?.message !== failure.message)
      await tx.update('instance', instance, { failure: JSON.stringify(failure) }, { touch: false })
  })
}
