import type { TargetRelease } from '@gantry/api/system/update'
import { targetProblem } from '@gantry/api/system/update.rules'
import { fleetId } from '../../authz/actor.ts'
import type { Row } from '../../db/tables.ts'
import { needCapability } from '../../fleet/capabilities.ts'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { needFleet } from '../../lookup/need.ts'
import { notFound, Refusal } from '../../context/refusal.ts'
import { lockPlan } from './plan.ts'
import { currentTarget } from './target-row.ts'

/** The generation before any target release, which is not stored. */
const firstGeneration = 1

const view = ({ generation, time_requested, system_version }: Row<'target_release'>): TargetRelease => ({
  generation,
  time_requested: time_requested.toISOString(),
  release_source: { type: 'system_version', version: system_version },
})

export async function viewTarget(cx: Cx): Promise<TargetRelease> {
  needFleet(cx, 'read')
  const target = await currentTarget(cx.db)
  if (target) return view(target)
  const rack = await cx.db
    .selectFrom('rack')
    .select('time_created')
    .orderBy('time_created')
    .limit(1)
    .executeTakeFirst()
  return {
    generation: firstGeneration,
    time_requested: (rack?.time_created ?? cx.now()).toISOString(),
    release_source: { type: 'unspecified' },
  }
}

/** The rack then updates to it, component by component. Failed components are retried. */
export async function setTarget(cx: Cx, version: string): Promise<TargetRelease> {
  needFleet(cx, 'modify')
  needCapability(cx.services.fleet, 'updates')
  const target = await change(cx, fleetScope, async (tx) => {
    await lockPlan(tx)
    const before = await currentTarget(tx.read)
    const repository = await tx.read
      .selectFrom('update_repository')
      .select('id')
      .where('name', '=', version)
      .where('time_deleted', 'is', null)
      .forShare()
      .executeTakeFirst()
    if (!repository) throw notFound('tuf-repo', { name: version })
    const older = targetProblem(version, before?.system_version)
    if (older) throw new Refusal(undefined, older, { help: 'Choose the current release or a newer one.' })
    const values = {
      generation: (before?.generation ?? firstGeneration) + 1,
      time_requested: cx.now(),
      system_version: version,
    }
    await tx.plain.insertInto('target_release').values(values).execute()
    await tx.plain
      .updateTable('update_component')
      .set({ state: null, target: null, reason: null, attempts: 0, time_changed: cx.now() })
      .where('state', '=', 'failed')
      .execute()
    tx.note('target-release', fleetId, before, values)
    return values
  })
  cx.services.wake.updates()
  return view(target)
}
