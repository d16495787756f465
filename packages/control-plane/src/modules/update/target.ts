import type { NumberedTargetRelease } from '@gantry/api/system/update'
import { recoveryRelease, targetProblem } from '@gantry/api/system/update.rules'
import { fleetId } from '../../authz/actor.ts'
import type { Row } from '../../db/tables.ts'
import { needCapability } from '../../fleet/capabilities.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { needFleet } from '../../lookup/need.ts'
import { invalid, notFound, Refusal } from '../../context/refusal.ts'
import { componentsOf, countsOf } from './components.ts'
import { lockPlan, planId } from './plan.ts'
import { currentTarget, firstRack } from './target-row.ts'

/** The generation before any target release, which is not stored. */
const firstGeneration = 1

const view = ({
  generation,
  time_requested,
  system_version,
}: Row<'target_release'>): NumberedTargetRelease => ({
  generation,
  time_requested: time_requested.toISOString(),
  release_source: { type: 'system_version', version: system_version },
})

export async function viewTarget(cx: Cx): Promise<NumberedTargetRelease> {
  needFleet(cx, 'read')
  const target = await currentTarget(cx.db)
  if (target) return view(target)
  const rack = await firstRack(cx.db)
  return {
    generation: firstGeneration,
    time_requested: (rack?.time_created ?? cx.now()).toISOString(),
    release_source: { type: 'unspecified' },
  }
}

/** The rack then updates to it, component by component. Failed components are retried. */
export async function setTarget(cx: Cx, version: string): Promise<NumberedTargetRelease> {
  needFleet(cx, 'modify')
  needCapability(cx.services.fleet, 'updates')
  const target = await change(cx, fleetScope, async (tx) => {
    await lockPlan(tx)
    const before = await currentTarget(tx.read)
    await needRepository(tx, version)
    const older = targetProblem(version, before?.system_version)
    if (older) throw new Refusal(undefined, older, { help: 'Choose the current release or a newer one.' })
    return putTarget(tx, before, version)
  })
  cx.services.wake.updates()
  return view(target)
}

/**
 * Ends a suspended update that changed nothing, or whose changes were reverted by hand: the release that every component
 * runs becomes the target again, even if it is older, and updates are resumed.
 */
export async function finishRecovery(cx: Cx, version: string): Promise<void> {
  needFleet(cx, 'modify')
  needCapability(cx.services.fleet, 'updates')
  await change(cx, fleetScope, async (tx) => {
    const plan = await lockPlan(tx)
    const before = await currentTarget(tx.read)
    await needRepository(tx, version)
    const components = await componentsOf(tx.read)
    if (components.some(({ row }) => row?.state === 'updating' || row?.state === 'draining'))
      throw invalid('a component is being updated', 'Wait until it has finished, and try again.')
    const recovered = recoveryRelease(countsOf(components), {
      suspended: plan.is_suspended,
      target: before?.system_version,
    })
    if (recovered === undefined)
      throw invalid(
        'no recovery of an update is pending',
        'A recovery is finished while the update is suspended and all components run one release that is not the target.',
      )
    if (recovered !== version)
      throw invalid(`the components run ${recovered}, not ${version}`, `Name the release ${recovered}.`)
    await putTarget(tx, before, version)
    await tx.plain.updateTable('update_plan').set({ is_suspended: false }).where('id', '=', planId).execute()
    tx.note('system-update', fleetId, { is_suspended: true }, { is_suspended: false })
  })
  cx.services.wake.updates()
}

async function needRepository(tx: Change, version: string): Promise<void> {
  const repository = await tx.read
    .selectFrom('update_repository')
    .select('id')
    .where('name', '=', version)
    .where('time_deleted', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!repository) throw notFound('tuf-repo', { name: version })
}

async function putTarget(
  tx: Change,
  before: Row<'target_release'> | undefined,
  system_version: string,
): Promise<Row<'target_release'>> {
  const now = tx.cx.now()
  const generation = (before?.generation ?? firstGeneration) + 1
  const values = { generation, time_requested: now, system_version }
  await tx.plain.insertInto('target_release').values(values).execute()
  await tx.plain
    .updateTable('update_component')
    .set({ state: null, target: null, reason: null, attempts: 0, time_changed: now })
    .where('state', '=', 'failed')
    .execute()
  tx.note('target-release', fleetId, before, values)
  return values
}
