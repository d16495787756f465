import type { FailureReason } from '@gantry/api/extensions'
import type { VpcNetworkState } from '@gantry/api/network/vpc-network'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { isOutdated } from './bring-into-force.ts'
import { unseenSince } from './network-loop.ts'

/** Whether the latest state of a VPC is in force; undefined if no host carries its packets. */
export async function viewNetwork(cx: Cx, at: Selectors): Promise<{ network: VpcNetworkState | null }> {
  const { row: vpc } = await need(cx, 'vpc', at, 'read')
  const row = cx.services.fleet.networks
    ? await cx.db.selectFrom('vpc_network').selectAll().where('vpc_id', '=', vpc.id).executeTakeFirst()
    : undefined
  if (!row || row.generation === 0) return { network: null }
  const { generation, applied_generation, time_applied, time_changed, problem } = row
  // A change that was saved just now has no generation yet: it gets the next one.
  const unseen = await unseenSince(cx.services, row)
  if (unseen && (await isOutdated(cx.db, row)))
    return { network: { state: 'pending', generation: generation + 1, since: unseen.toISOString(), problem } }
  const isApplied = applied_generation === generation && time_applied !== null
  const since = isApplied ? time_applied : time_changed
  return {
    network: {
      state: isApplied ? 'applied' : 'pending',
      generation,
      since: since.toISOString(),
      problem: problem ?? refusedProblem(row),
    },
  }
}

/** Addresses that do not work although the network is in force. */
function refusedProblem({ refused, time_applied }: Row<'vpc_network'>): FailureReason | null {
  const [first, ...others] = refused ?? []
  if (!first || !time_applied) return null
  const more = others.length > 0 ? ` The same is true of ${others.map(({ ip }) => ip).join(', ')}.` : ''
  return {
    code: 'external_address_refused',
    message: `${first.message}${more}`,
    next_step: first.next_step,
    details: { addresses: [first, ...others].map(({ ip }) => ip) },
    time: time_applied.toISOString(),
  }
}
