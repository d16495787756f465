import type { TrialState } from '@gantry/api/rack-network/network-trial.rules'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../change/change.ts'
import { conflict } from '../../context/refusal.ts'

/** The only subject without a row of its own. */
export const allowListId = '00000000-0000-4000-8000-00000000a110'

export type Trial = Row<'network_trial'>

/** The running trial, locked, so that only one of confirming and reverting happens. */
export const lockTrial = (tx: Change, id: string): Promise<Trial | undefined> =>
  tx.plain
    .selectFrom('network_trial')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()

export async function endTrial(
  tx: Change,
  trial: Trial,
  state: Exclude<TrialState, 'running'>,
): Promise<Trial> {
  const ended = await tx.plain
    .updateTable('network_trial')
    .set({ state, time_ended: tx.cx.now() })
    .where('id', '=', trial.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  tx.note('network-trial', trial.id, { state: trial.state }, { state })
  return ended
}

/** A direct change replaces the change on trial, which is then not reverted. */
export async function endTrials(
  tx: Change,
  subjectId: string,
  state: Exclude<TrialState, 'running'>,
): Promise<void> {
  const running = await tx.plain
    .selectFrom('network_trial')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .where('state', '=', 'running')
    .forUpdate()
    .execute()
  for (const trial of running) await endTrial(tx, trial, state)
}

/** Refuses another change while one of the same subject waits for confirmation. The subject must be locked. */
export async function refuseDuringTrial(tx: Change, subjectId: string): Promise<void> {
  const running = await tx.read
    .selectFrom('network_trial')
    .select('id')
    .where('subject_id', '=', subjectId)
    .where('state', '=', 'running')
    .executeTakeFirst()
  if (running)
    throw conflict('another change is waiting for confirmation', 'Confirm or revert that change first.')
}
