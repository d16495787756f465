import type { UpdatesTrustRoot } from '@gantry/api/system/update'
import { maxUpdateTrustRoots } from '@gantry/api/system/update.rules'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Reader } from '../../db/database.ts'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listAll } from '../../list/page.ts'
import { insufficient, Refusal } from '../../context/refusal.ts'
import { RootRole, shapeProblem, signatureProblem } from './roles.ts'
import { generationKey } from '../../lookup/etag.ts'

const view = ({ id, time_created, root_role, generation }: Row<'update_trust_root'>): UpdatesTrustRoot =>
  ({
    id,
    time_created: time_created.toISOString(),
    root_role,
    [generationKey]: generation,
  }) as UpdatesTrustRoot

export async function listTrustRoots(cx: Cx, query: ListQuery) {
  needFleet(cx, 'list_children')
  return listAll(cx, 'update_trust_root', query, view)
}

export const viewTrustRoot = async (cx: Cx, at: Selectors): Promise<UpdatesTrustRoot> =>
  view((await need(cx, 'update_trust_root', at, 'read')).row)

/** Repositories must be signed by one of the trust roots. The root's own signature must verify too. */
export async function createTrustRoot(cx: Cx, document: unknown): Promise<UpdatesTrustRoot> {
  needFleet(cx, 'modify')
  const read = RootRole.safeParse(document)
  if (!read.success) throw unverified(shapeProblem(read.error))
  const problem = signatureProblem(read.data.signed, 'root', read.data)
  if (problem) throw unverified(problem)
  return change(cx, fleetScope, async (tx) => {
    await sql`LOCK TABLE update_trust_root IN SHARE ROW EXCLUSIVE MODE`.execute(tx.plain)
    if ((await trustRoots(tx.read)).length >= maxUpdateTrustRoots)
      throw insufficient(`there are already ${maxUpdateTrustRoots} trust roots`, {
        help: 'Delete a trust root first.',
      })
    return view(await tx.insert('update_trust_root', { root_role: JSON.stringify(document) }))
  })
}

const unverified = (why: string): Refusal =>
  new Refusal(undefined, `Unable to verify root role: ${why}`, {
    help: 'Give the root role as its publisher signed it, unchanged.',
  })

/** Repositories signed by it remain, and can still become the target release (control plane reference, A 16). */
export async function deleteTrustRoot(cx: Cx, at: Selectors): Promise<void> {
  const { row } = await need(cx, 'update_trust_root', at, 'modify')
  await change(cx, fleetScope, async (tx) => {
    await tx.remove('update_trust_root', await tx.lock('update_trust_root', row))
  })
}

const trustRoots = (db: Pick<Reader, 'selectFrom'>): Promise<{ root_role: unknown }[]> =>
  db.selectFrom('update_trust_root').select('root_role').where('time_deleted', 'is', null).execute()

/** Stored ones were verified when they were added. */
export const trustedRoots = async (db: Reader): Promise<RootRole[]> =>
  (await trustRoots(db)).map(({ root_role }) => RootRole.parse(root_role))
