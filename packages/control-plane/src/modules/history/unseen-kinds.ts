import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { kindWords } from '../../lookup/kinds.ts'
import { locationOfChange } from '../../lookup/location.ts'

/** A user other than the caller. */
const stranger = '00000000-0000-4000-8000-000000000000'

/**
 * Conditions that leave out what the caller may not see in a place, so that pages are not read in vain. Of a user's own
 * things the caller's remain. Each entry is checked again.
 */
export function unseenKinds(
  cx: Cx,
  place: { silo_id: string; project_id: string | null },
): RawBuilder<unknown>[] {
  const { user_id, silo_id } = cx.user()
  const seenAs = (silo_user_id: string) => (kind: string) => {
    const actor = { kind: 'silo_user', silo_user_id, silo_id } as const
    return cx.can('read', locationOfChange({ kind, id: stranger, ...place, actor }))
  }
  // Projects in a silo differ for the caller; a role on the silo covers them all.
  const kinds = kindWords().filter((kind) => kind !== 'project')
  const unseen = kinds.filter((kind) => !seenAs(stranger)(kind))
  const own = unseen.filter(seenAs(user_id))
  return unseen.length === 0
    ? []
    : [
        sql`(t.kind <> ALL (${unseen}::text[])
          ${own.length > 0 ? sql`OR (t.user_id = ${user_id} AND t.kind = ANY (${own}::text[]))` : sql``})`,
      ]
}
