import type { ScimClient } from '../../authz/actor.ts'
import { type Change, change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { Refusal, unauthorized } from '../../context/refusal.ts'

export function clientOf({ actor }: Cx): ScimClient {
  if (actor.kind !== 'scim') throw unauthorized()
  return actor
}

/** A change by an identity provider. Its token must still exist: deleting it ends what it could do at once. */
export function scimChange<Result>(
  cx: Cx,
  status: number,
  run: (tx: Change, silo_id: string) => Promise<Result>,
): Promise<Result> {
  const { silo_id, token_id } = clientOf(cx)
  cx.request.status = status
  return change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo_id).catch(ended)
    await tx.hold('scim_token', token_id).catch(ended)
    return run(tx, silo_id)
  })
}

function ended(error: unknown): never {
  throw error instanceof Refusal ? unauthorized() : error
}

/** What the request is about, for its audit record and the account of what happened. */
export function tellOf(
  cx: Cx,
  kind: 'silo-user' | 'silo-group',
  { id, external_id, silo_id }: { id: string; external_id: string; silo_id: string },
): void {
  cx.about = { kind, id, name: external_id, silo_id, project_id: null }
}
