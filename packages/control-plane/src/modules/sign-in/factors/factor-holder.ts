import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'

/** The owner of factors: a signed-in user, or one who has only presented a password. */
export interface Holder {
  id: string
  silo_id: string
  name: string
  silo_name: string
}

/** Consumes what was presented, together with its effect; throws if another request consumed it first. */
export type Proof = (tx: Change) => Promise<void>

export function holderOf(cx: Cx): Holder {
  const { user_id, silo_id, display_name, silo_name } = cx.user()
  return { id: user_id, silo_id, name: display_name, silo_name }
}

export const scopeOf = ({ silo_id }: Pick<Holder, 'silo_id'>) => ({ silo_id, project_id: null })

/** Records that a user's factors changed, without details. */
export const noteFactors = (tx: Change, { id }: Pick<Row<'silo_user'>, 'id'>): void =>
  tx.note('second-factor', id, undefined, undefined)
