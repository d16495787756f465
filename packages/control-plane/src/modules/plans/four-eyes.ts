import type { FourEyesSettings } from '@gantry/api/history/saved-plan'
import { fourEyesOf, refusedAlone } from '@gantry/api/history/four-eyes-operations.rules'
import { type FourEyesKind, fourEyesKinds } from '@gantry/api/history/four-eyes.rules'
import { isPlannable } from '@gantry/api/history/plan.rules'
import type { OpName } from '@gantry/api/registry'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import { needOwnSilo } from '../../lookup/need.ts'
import type { Input } from '../../pipeline/implement.ts'

export async function demandedBy(
  db: Pick<Reader, 'selectFrom'>,
  silo_id: string,
): Promise<readonly FourEyesKind[]> {
  const row = await db
    .selectFrom('silo_four_eyes')
    .select('kinds')
    .where('silo_id', '=', silo_id)
    .executeTakeFirst()
  return row?.kinds ?? []
}

/** The kind for which the caller's silo demands that another user carries out this request. */
export async function demandedFor(
  cx: Cx,
  name: OpName,
  input: object = {},
): Promise<FourEyesKind | undefined> {
  if (await deletesMany(cx, name, input)) return (await demandedOf(cx)).find((kind) => kind === 'deletions')
  return isOfKind(name) ? demandIn(await demandedOf(cx), name) : undefined
}

/** The kinds that the caller's silo demands a second person for. */
export const demandedOf = async ({ actor, db }: Cx): Promise<readonly FourEyesKind[]> =>
  actor.kind === 'silo_user' ? demandedBy(db, actor.silo_id) : []

/** The demand itself cannot be dropped by one person, either. */
const isOfDemand = (name: OpName): boolean => name === 'fourEyesSettingsUpdate'

const isOfKind = (name: OpName): boolean => isOfDemand(name) || fourEyesOf(name) !== undefined

/** The kind of an operation for which these kinds demand a second person. */
export const demandIn = (demanded: readonly FourEyesKind[], name: OpName): FourEyesKind | undefined =>
  isOfDemand(name) ? demanded[0] : demanded.find((kind) => kind === fourEyesOf(name))

/** Whether it begins work on several objects that deletes them, or repeats it. */
async function deletesMany(cx: Cx, name: OpName, input: object): Promise<boolean> {
  if (name === 'instanceActionCreate')
    return (input as Input<'instanceActionCreate'>).body.action === 'delete'
  if (name !== 'instanceActionRetry') return false
  const { path } = input as Input<'instanceActionRetry'>
  const row = await cx.db
    .selectFrom('instance_action')
    .select('action')
    .where('id', '=', path.action)
    .executeTakeFirst()
  return row?.action === 'delete'
}

/** Refuses a request that the caller's silo demands a second person for. Called for each that is not a saved plan. */
export async function refuseAlone(cx: Cx, name: OpName, input: object): Promise<void> {
  const kind = await demandedFor(cx, name, input)
  if (kind === undefined) return
  const { what, instead } = refusedAlone(name, kind)
  const isSavable = isPlannable(name)
  const subject = isOfDemand(name) ? 'changes of this setting need' : what
  // Its detail leads to the page that explains it, whatever it refuses.
  const message = `${subject} a second person in this silo`
  throw invalid(
    message,
    isSavable
      ? 'Save the request as a plan, by POST /ext/v1/saved-plans or in the console, and send its link to someone else who may make the change.'
      : instead,
    { four_eyes: kind, is_savable: isSavable },
  )
}

export async function viewFourEyes(cx: Cx): Promise<FourEyesSettings> {
  const { silo_id } = needOwnSilo(cx, 'read')
  return { kinds: [...(await demandedBy(cx.db, silo_id))] }
}

export async function updateFourEyes(
  cx: Cx,
  { body }: Input<'fourEyesSettingsUpdate'>,
): Promise<FourEyesSettings> {
  const { silo_id } = needOwnSilo(cx, 'modify')
  const kinds = fourEyesKinds.filter((kind) => body.kinds.includes(kind))
  return change(cx, { silo_id, project_id: null }, async (tx) => {
    await tx.hold('silo', silo_id)
    const before = await demandedBy(tx.read, silo_id)
    await tx.plain
      .insertInto('silo_four_eyes')
      .values({ silo_id, kinds })
      .onConflict((conflict) => conflict.column('silo_id').doUpdateSet({ kinds }))
      .execute()
    if (before.join() !== kinds.join()) tx.note('silo-four-eyes', silo_id, { kinds: before }, { kinds })
    return { kinds }
  })
}
