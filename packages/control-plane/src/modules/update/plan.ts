import type { Change } from '../../change/change.ts'
import type { Row } from '../../db/tables.ts'

/** The only row. */
export const planId = 1

/** Locks the plan, which serialises update steps, target releases and decisions of the operator. */
export async function lockPlan(tx: Change): Promise<Row<'update_plan'>> {
  await tx.plain
    .insertInto('update_plan')
    .values({ id: planId, time_last_step: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return tx.plain
    .selectFrom('update_plan')
    .selectAll()
    .where('id', '=', planId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}
