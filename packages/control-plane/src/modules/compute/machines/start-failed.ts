import type { RawBuilder } from 'kysely'
import type { Patch, Row } from '@gantry/control-plane/db/tables'
import { type Change, change, changeAmong, changeBefore } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { reasonOf } from '@gantry/control-plane/work/jobs'
import { Refusal } from '@gantry/control-plane/context/refusal'
import { start } from './start.ts'

/**
 * Starts a failed instance that still meets the condition; returns whether it did. A refusal for lack of capacity is
 * returned, and becomes its failure. The audit record of a request that starts several is left to the request.
 */
export async function startFailed(
  cx: Cx,
  { id, ...scope }: { id: string; silo_id: string; project_id: string },
  condition: RawBuilder<boolean>,
  more: Patch<'instance'> = {},
): Promise<boolean | Refusal> {
  const outcome = await changeAmong(cx, scope, async (tx) => {
    const instance = await lockIf(tx, id, condition)
    if (instance) await start(tx, instance, scope.silo_id, more)
    return instance !== undefined
  }).catch(ofCapacity)
  if (typeof outcome === 'boolean') return outcome
  // What a user did not start is not told as started.
  const write = cx.actor.kind === 'system' ? change : changeBefore
  await write(cx, scope, async (tx) => {
    const instance = await lockIf(tx, id, condition)
    const failure: Row<'instance'>['failure'] = reasonOf(outcome, cx.now())
    // Stores the latest reason, unless it is unchanged, to avoid a write at each attempt.
    if (instance && instance.failure?.message !== failure.message)
      await tx.update('instance', instance, { failure: JSON.stringify(failure) }, { touch: false })
  })
  return outcome
}

/** The instance, locked, unless its user or another process has changed it since it was found. */
async function lockIf(
  tx: Change,
  id: string,
  condition: RawBuilder<boolean>,
): Promise<Row<'instance'> | undefined> {
  const instance = await tx.lockById('instance', id).catch(ignoreNotFound)
  if (!instance) return undefined
  const stillIs = await tx.read
    .selectFrom('instance')
    .select('id')
    .where('id', '=', id)
    .where(condition)
    .executeTakeFirst()
  return stillIs && instance
}

function ofCapacity(error: unknown): Refusal {
  if (error instanceof Refusal && error.code === 'InsufficientCapacity') return error
  throw error
}
