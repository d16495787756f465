import type { PlacementCheck, PlacementCheckResult } from '@gantry/api/compute/placement-check'
import { sledReasons } from '@gantry/api/compute/placement.rules'
import { byReason, place, type Verdict } from '@gantry/control-plane/fleet/placement'
import { needCapability } from '@gantry/control-plane/fleet/capabilities'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { refusedAs } from '@gantry/control-plane/context/refusal'
import { affinity, antiAffinity } from '../../affinity/families.ts'
import { resolveGroups } from '../../affinity/groups.ts'
import { quotaProblem, readQuota } from '../../silo/quota.ts'
import { refuseHardware } from './create.ts'
import { readCandidates, readPreferences } from '../machines/reserve.ts'

/** Runs the placement and quota checks of a start, without reserving anything. */
export async function checkPlacement(
  cx: Cx,
  at: Selectors,
  body: PlacementCheck,
): Promise<PlacementCheckResult> {
  const { row: project } = await need(cx, 'project', at, 'create_child')
  const { ncpus, memory } = body
  refuseHardware(ncpus, memory)
  const cpu_platform = body.cpu_platform ?? null
  if (cpu_platform !== null) needCapability(cx.services.fleet, 'cpu_platforms')
  const groups = {
    affinity: await resolveGroups(cx, affinity, project, body.affinity_groups, 'read'),
    anti_affinity: await resolveGroups(cx, antiAffinity, project, body.anti_affinity_groups, 'read'),
  }
  const wanted = { ncpus, memory, cpu_platform }
  const placed = place(await readCandidates(cx.db), wanted, await readPreferences(cx.db, groups))
  const amount = { cpus: ncpus, memory }
  const { used, quota } = await readQuota(cx.db, project.silo_id)
  const standing = (kind: 'cpus' | 'memory') => ({
    requested: amount[kind],
    provisioned: used[kind],
    allocated: quota[kind],
    exceeded: quotaProblem(used, quota, { [kind]: amount[kind] }) !== undefined,
  })
  // As in a start: placement first, quota second.
  const refusal = 'refusal' in placed ? placed.refusal : quotaProblem(used, quota, amount)
  return {
    fits: refusal === undefined,
    candidates: placed.verdicts.filter(({ reason }) => reason === undefined).length,
    sleds: placed.verdicts.length,
    quota: { cpus: standing('cpus'), memory: standing('memory') },
    reasons: reasonsOf(placed.verdicts, cx.can('read', { class: 'fleet' })),
    refusal: refusal ? refusedAs(refusal) : null,
  }
}

/** One line per reason. Only callers who may read the fleet see which sleds exist. */
const reasonsOf = (verdicts: readonly Verdict[], maySeeSleds: boolean): PlacementCheckResult['reasons'] =>
  byReason(verdicts).map(([reason, found]) => ({
    reason,
    ...sledReasons[reason],
    count: found.length,
    sleds: maySeeSleds ? found.map(({ sled, message }) => ({ serial: sled.serial, message })) : null,
  }))
