import type { Row } from '../../../db/tables.ts'
import type { Change } from '../../../kernel/change.ts'
import type { Cx } from '../../../kernel/cx.ts'

/** Whose factors they are: somebody signed in, or somebody who has shown no more than the password so far. */
export interface Holder {
  id: string
  silo_id: string
  name: string
  silo_name: string
}

/** What was shown, to be used up with what it is shown for; throws where somebody else used it first. */
export type Proof = (tx: Change) => Promise<void>

export function holderOf(cx: Cx): Holder {
  const { user_id, silo_id, display_name, silo_name } = cx.user()
  return { id: user_id, silo_id, name: display_name, silo_name }
}

export const scopeOf = ({ silo_id }: Pick<Holder, 'silo_id'>) => ({ silo_id, project_id: null })

/** Tells that somebody's factors changed, and nothing of them. */
export const noteFactors = (tx: Change, { id }: Pick<Row<'silo_user'>, 'id'>): void =>
  tx.note('second-factor', id, undefined, undefined)
