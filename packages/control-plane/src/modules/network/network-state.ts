import type { VpcNetworkState } from '@gantry/api/vpc-network'
import type { Cx } from '../../kernel/cx.ts'
import { need, type Selectors } from '../../kernel/need.ts'

/** Whether the latest state of a VPC is in force; undefined if no host carries its packets. */
export async function viewNetwork(cx: Cx, at: Selectors): Promise<{ network: VpcNetworkState | null }> {
  const { row: vpc } = await need(cx, 'vpc', at, 'read')
  const row = cx.services.fleet.networks
    ? await cx.db.selectFrom('vpc_network').selectAll().where('vpc_id', '=', vpc.id).executeTakeFirst()
    : undefined
  if (!row || row.generation === 0) return { network: null }
  const { generation, applied_generation, time_applied, time_changed, problem } = row
  const isApplied = applied_generation === generation && time_applied !== null
  const since = isApplied ? time_applied : time_changed
  return {
    network: { state: isApplied ? 'applied' : 'pending', generation, since: since.toISOString(), problem },
  }
}
