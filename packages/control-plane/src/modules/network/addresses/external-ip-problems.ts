import type { ExternalIpProblem } from '@gantry/api/network/external-ip-problem'
import { notCarried } from '@gantry/api/network/external-ip-problem.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { sameAddress, ip as parsed } from '../../packets/model.ts'
import { vpcOf } from '../../packets/packet-check.ts'

/** External addresses of an instance that do not work: those that no gateway carries, and those that the fleet refuses. */
export async function externalIpProblems(cx: Cx, at: Selectors): Promise<{ items: ExternalIpProblem[] }> {
  const { row: instance } = await need(cx, 'instance', at, 'read')
  const vpc = await vpcOf(cx, instance)
  if (!vpc) return { items: [] }
  const addresses = await cx.db
    .selectFrom('external_ip')
    .selectAll()
    .where('instance_id', '=', instance.id)
    .where('time_deleted', 'is', null)
    .orderBy('kind')
    .orderBy('ip')
    .execute()
  if (addresses.length === 0) return { items: [] }
  const carries = await carriedBy(cx, vpc)
  const network = cx.services.fleet.networks
    ? await cx.db.selectFrom('vpc_network').select('refused').where('vpc_id', '=', vpc.id).executeTakeFirst()
    : undefined
  const refused = new Map((network?.refused ?? []).map((one) => [one.ip, one]))
  return {
    items: addresses.flatMap((address): ExternalIpProblem[] => {
      const { kind, ip } = address
      if (!carries(address))
        return [{ kind, ip, code: 'not_carried', ...notCarried(ip, vpc.name), vpc_name: vpc.name }]
      // A shared address is translated by ports, for which installations of a host do not compete.
      const refusal = kind === 'snat' ? undefined : refused.get(ip)
      return refusal
        ? [
            {
              kind,
              ip,
              code: 'refused',
              message: refusal.message,
              next_step: refusal.next_step,
              vpc_name: null,
            },
          ]
        : []
    }),
  }
}

/** Whether an internet gateway of the VPC carries an address. */
async function carriedBy(cx: Cx, vpc: Row<'vpc'>) {
  const gateways = cx.db
    .selectFrom('internet_gateway')
    .select('id')
    .where('vpc_id', '=', vpc.id)
    .where('time_deleted', 'is', null)
  const pools = await cx.db
    .selectFrom('internet_gateway_ip_pool')
    .select('ip_pool_id')
    .where('internet_gateway_id', 'in', gateways)
    .where('time_deleted', 'is', null)
    .execute()
  const addresses = await cx.db
    .selectFrom('internet_gateway_ip_address')
    .select('address')
    .where('internet_gateway_id', 'in', gateways)
    .where('time_deleted', 'is', null)
    .execute()
  const poolIds = new Set(pools.map(({ ip_pool_id }) => ip_pool_id))
  return ({ ip, ip_pool_id }: Row<'external_ip'>): boolean =>
    poolIds.has(ip_pool_id) || addresses.some(({ address }) => sameAddress(parsed(address), parsed(ip)))
}
