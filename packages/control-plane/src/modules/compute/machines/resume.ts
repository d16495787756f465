import { sql } from 'kysely'
import { systemCx } from '@gantry/control-plane/context/cx'
import type { Reconciler } from '@gantry/control-plane/work/loop'
import type { Services } from '@gantry/control-plane/context/services'
import { readCandidates } from './reserve.ts'
import { startFailed } from './start-failed.ts'
import { onceEach } from '@gantry/control-plane/context/once-each'

const batch = 64
/** When the last instance was resumed (ms); hints come in between. */
const lastOf = onceEach((_services: Services) => ({ at: -Infinity }))

/** Whether an instance ran until its host went down, and should run. */
const isInterrupted = sql<boolean>`instance.is_interrupted AND instance.run_state = 'failed'
  AND instance.intended_state = 'running' AND instance.time_deleted IS NULL`

/**
 * Starts instances that ran until their host went down. They neither crashed nor were stopped, so neither the policy for
 * automatic restarts nor their cool-down applies. The oldest first and one after the other, so that guests that boot do not slow
 * each other down.
 */
export const resumeInterrupted: Reconciler = {
  name: 'resume',
  everyMs: 60_000,
  async run(services) {
    const spacing = services.settings.fleet.restart_spacing_seconds * 1000
    const waited = services.clock().getTime() - lastOf(services).at
    // The clock was ahead at the last one if that lies in the future.
    if (waited >= 0 && waited < spacing) return spacing - waited
    for (let after: Interrupted | undefined; ;) {
      const found = await interruptedAfter(services, after)
      if (found.length === 0 || (after === undefined && !(await hasHost(services)))) return
      for (const instance of found) {
        if (services.ending.aborted) return
        if (!(await resumed(services, instance))) continue
        lastOf(services).at = services.clock().getTime()
        return spacing
      }
      after = found.at(-1)
    }
  },
}

interface Interrupted {
  id: string
  silo_id: string
  project_id: string
}

function interruptedAfter({ db }: Services, after: Interrupted | undefined): Promise<Interrupted[]> {
  const rows = db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select(['instance.id', 'project.silo_id', 'project.id as project_id'])
    .where(isInterrupted)
    .orderBy('instance.time_created')
    .orderBy('instance.id')
    .limit(batch)
  // Compared in the database, whose times are finer.
  const later =
    after &&
    sql<boolean>`(instance.time_created, instance.id) > (SELECT a.time_created, a.id FROM instance a WHERE a.id = ${after.id})`
  return (later ? rows.where(later) : rows).execute()
}

/** Until a host is back, a start would only replace the reason for the failure. */
const hasHost = async ({ db }: Services): Promise<boolean> =>
  (await readCandidates(db)).some(({ is_lost }) => !is_lost)

/** One that fails must not keep the others from running. */
async function resumed(services: Services, { id, silo_id, project_id }: Interrupted): Promise<boolean> {
  try {
    const cx = systemCx(services, 'reconcile:resume')
    return (await startFailed(cx, { id, silo_id, project_id }, isInterrupted)) === true
  } catch (error) {
    services.log.error({ err: error, instance: id }, 'an instance was not resumed, and will be later')
    return false
  }
}
