import { type RawBuilder, sql } from 'kysely'
import { change, fleetScope } from '@gantry/control-plane/change/change'
import { latestPast } from '@gantry/control-plane/context/time'
import { systemCx } from '@gantry/control-plane/context/cx'
import { daysAgo, forgetOlder } from '@gantry/control-plane/db/retention'
import type { Services } from '@gantry/control-plane/context/services'
import { eachInTurn, type Reconciler } from '@gantry/control-plane/work/loop'
import { autoRestartCooldownSeconds } from '@gantry/api/compute/instance.rules'
import type { MachineReport } from '@gantry/control-plane/fleet/fleet'
import { hasQuotaToStart, isRefusedByOwnLimit } from '../../silo/quota.ts'
import { fold, hasEnded, lockOwners } from './lifecycle.ts'
import { startAgain } from './start-again.ts'
import { applyWanted } from './wanted.ts'

const batch = 64

/** Maximum of machines whose news one change records. */
const newsAtOnce = 200
/** Maximum of news read at once. */
const newsInSight = 8 * newsAtOnce

/** Sends the wanted states of machines to the fleet, then records their reports, oldest first. */
export const fleetNews: Reconciler = {
  name: 'fleet',
  everyMs: 1000,
  async run(services) {
    await applyWanted(services)
    const { ids, nextInMs } = await services.fleet.machines.news(newsInSight)
    if (ids.length === 0) return nextInMs
    try {
      return (await takeNews(services, someOf(ids, services.random))) > 0 ? 0 : nextInMs
    } catch (error) {
      services.log.error({ err: error, loop: 'fleet' }, 'a batch of news failed; they are taken singly')
      await eachInTurn(services, 'fleet', ids, async (id) => void (await takeNews(services, [id])))
      return nextInMs
    }
  },
}

/** One batch from a random position, so that concurrent processes rarely take the same news. */
function someOf(ids: readonly string[], random: Services['random']): readonly string[] {
  if (ids.length <= newsAtOnce) return ids
  const [high = 0, low = 0] = random(2)
  const from = (high * 256 + low) % ids.length
  return [...ids, ...ids].slice(from, from + newsAtOnce)
}

/**
 * Records the news of machines that no other process is recording, and returns their number. The fleet is asked
 * first, outside the change: a report is recorded only if its instance has not changed since, and, while the fleet
 * has not accepted the latest wanted state of a machine, only its end is. Other reports may be older than the record.
 */
async function takeNews(services: Services, ids: readonly string[]): Promise<number> {
  const { machines } = services.fleet
  const owners = new Map((await ownersOf(services, ids)).map((owner) => [owner.vmm_id, owner]))
  const orphans = ids.filter((id) => !owners.has(id))
  if (orphans.length > 0) await machines.destroy(orphans)
  const reports = await machines.look([...owners.keys()])
  const recorded = new Map<string, MachineReport>()
  const taken = await change(systemCx(services, 'reconcile:fleet'), fleetScope, async (tx) => {
    recorded.clear()
    const reported = (await lockOwners(tx, [...reports.keys()])).flatMap(({ vmm_id, instance, silo_id }) => {
      const report = reports.get(vmm_id)
      const owner = owners.get(vmm_id)
      if (!report || owner?.generation !== instance.generation) return []
      if (!owner.is_settled && !hasEnded(report)) return []
      recorded.set(vmm_id, report)
      const isCurrent = instance.vmm_id === vmm_id && instance.time_deleted === null
      return isCurrent ? [{ instance, silo_id, report }] : []
    })
    await fold(tx, reported)
    return { hasEnded: reported.some(({ report }) => hasEnded(report)), reported }
  })
  await machines.acknowledge(recorded)
  if (taken.hasEnded) await applyWanted(services)
  if (taken.reported.some(({ report }) => report.state === 'failed')) services.wake.restarts()
  return recorded.size + orphans.length
}

/** Machines with a reservation among these, with the generation of their instances. */
const ownersOf = ({ db }: Services, vmmIds: readonly string[]) =>
  db
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.id', 'vmm.instance_id')
    .select(['vmm.id as vmm_id', 'instance.generation'])
    .select(sql<boolean>`applied_revision = revision`.as('is_settled'))
    .where(sql<boolean>`vmm.id = ANY (${vmmIds}::uuid[])`)
    .where('vmm.time_gone', 'is', null)
    .execute()

/** Deletes the reservations of virtual machines that ended long ago. */
export const forgetEndedMachines = (services: Services): Promise<void> =>
  forgetOlder(services, {
    table: 'vmm',
    time: 'time_gone',
    before: daysAgo(services, services.settings.retention.ended_machine_days),
  })

/**
 * Restarts failed instances that should run, allow it, and are not cooling down (control plane reference, B
 * 3.13).
 */
export const autoRestart: Reconciler = {
  name: 'restarts',
  everyMs: 60_000,
  async run(services) {
    // Processes all of them in batches: those that fit on no sled must not block the others.
    for (let after: string | undefined; ;) {
      const rows = await restartable(services, after)
      await eachInTurn(services, 'restarts', rows, ({ id, ...scope }) => restart(services, id, scope))
      after = rows.at(-1)?.id
      if (rows.length < batch) return
    }
  },
}

/** Whether an instance is to be restarted now. */
function isRestartable(now: Date): RawBuilder<boolean> {
  const cooled = new Date(now.getTime() - autoRestartCooldownSeconds * 1000)
  return sql`instance.run_state = 'failed' AND instance.intended_state = 'running' AND NOT instance.is_interrupted
    AND instance.auto_restart_policy IS DISTINCT FROM 'never'
    AND (instance.time_last_auto_restarted IS NULL OR instance.time_last_auto_restarted <= ${cooled}
      OR instance.time_last_auto_restarted > ${latestPast(now)})`
}

function restartable(services: Services, after: string | undefined) {
  const rows = services.db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select(['instance.id', 'project.silo_id', 'project.id as project_id'])
    .where('instance.time_deleted', 'is', null)
    .where(isRestartable(services.clock()))
    // One that its quota refused is not tried before there is room.
    .where((eb) => eb.or([eb.not(isRefusedByOwnLimit('instance.failure')), hasQuotaToStart]))
    .orderBy('instance.id')
    .limit(batch)
  return (after === undefined ? rows : rows.where('instance.id', '>', after)).execute()
}

async function restart(
  services: Services,
  instanceId: string,
  scope: { silo_id: string; project_id: string },
): Promise<void> {
  const now = services.clock()
  const cx = systemCx(services, 'reconcile:auto-restart')
  await startAgain(cx, { id: instanceId, ...scope }, isRestartable(now), { time_last_auto_restarted: now })
}
