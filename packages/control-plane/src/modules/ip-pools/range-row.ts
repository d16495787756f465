import { addressKey, rangeBounds } from '@gantry/api/network/ip-pool.rules'
import type { NewRow } from '../../db/tables.ts'

/** The stored form of a range; its addresses are already valid, of one version and in order. */
export function rangeRow(
  id: string,
  poolId: string,
  { first: first_ip, last: last_ip }: { first: string; last: string },
  time_created: Date,
): NewRow<'ip_pool_range'> {
  const bounds = rangeBounds(first_ip, last_ip)
  if (!bounds) throw new Error(`${first_ip}-${last_ip} is no range`)
  const { first, last } = bounds
  const isV4 = first.version === 4
  return {
    id,
    ip_pool_id: poolId,
    first_ip,
    last_ip,
    first_key: addressKey(first),
    last_key: addressKey(last),
    first_int: isV4 ? Number(first.value) : null,
    last_int: isV4 ? Number(last.value) : null,
    time_created,
  }
}
