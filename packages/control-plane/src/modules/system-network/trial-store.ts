import type { TrialState } from '@gantry/api/network-trial.rules'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../kernel/change.ts'

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

/** An edit beside the change on trial replaces nothing of it, so the change can still be reverted. */
export async function keepTrials(
  tx: Change,
  { id, generation }: Row<'switch_port_settings'>,
  edited: Row<'switch_port_settings'>,
): Promise<void> {
  await tx.plain
    .updateTable('network_trial')
    .set({ generation: edited.generation })
    .where('subject_id', '=', id)
    .where('state', '=', 'running')
    .where('generation', '=', generation)
    .execute()
}
