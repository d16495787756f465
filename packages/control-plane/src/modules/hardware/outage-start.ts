import type { SledOutageStarted } from '@gantry/api/system/hardware'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { conflict, notFound, Refusal, refusedAs } from '../../context/refusal.ts'
import { startFailed } from '../compute/machines/start-failed.ts'
import { lossOf, takenDown } from './outage.ts'

const isFailed = sql<boolean>`instance.run_state = 'failed'`

/**
 * Starts instances that a lost sled took down and that nothing has started since, whatever their policy for automatic
 * restarts. Each has a result of its own; a reason of capacity or quota also becomes that of its failure.
 */
export async function startElsewhere(
  cx: Cx,
  at: Selectors,
  instances: readonly string[],
): Promise<SledOutageStarted> {
  const { row } = await need(cx, 'sled', at, 'modify')
  const since = await lossOf(cx.db, row.id)
  const taken = new Map((since ? await takenDown(cx.db, row.id, since) : []).map((one) => [one.id, one]))
  const items: SledOutageStarted['items'] = []
  for (const instance_id of new Set(instances.map((id) => id.toLowerCase()))) {
    const one = taken.get(instance_id)
    const refusal = one && !one.is_deleted ? await start(cx, one) : notFound('instance', { id: instance_id })
    items.push({ instance_id, error: refusal ? refusedAs(refusal) : null })
  }
  return { items }
}

async function start(
  cx: Cx,
  { id, silo_id, project_id }: { id: string; silo_id: string; project_id: string },
): Promise<Refusal | undefined> {
  try {
    const outcome = await startFailed(cx, { id, silo_id, project_id }, isFailed, {
      intended_state: 'running',
    })
    if (outcome instanceof Refusal) return outcome
    return outcome ? undefined : conflict('the instance has not failed, or is started already')
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
