import { parseIpNet } from '@gantry/api/base/ip.rules'
import { addressKey } from '@gantry/api/network/ip-pool.rules'
import { lengthsOf, type MemberInput } from '@gantry/api/network/subnet-pool.rules'
import type { NewRow } from '../../db/tables.ts'

/** The stored form of a member, whose network is already valid. */
export function memberRow(
  id: string,
  subnet_pool_id: string,
  member: MemberInput,
  time_created: Date,
): NewRow<'subnet_pool_member'> {
  const net = parseIpNet(member.subnet)
  if (!net) throw new Error(`${member.subnet} is no network`)
  const { version, first, last } = net
  const { min, max } = lengthsOf(net, member)
  return {
    id,
    subnet_pool_id,
    subnet: member.subnet,
    first_key: addressKey({ version, value: first }),
    last_key: addressKey({ version, value: last }),
    first_int: String(first),
    last_int: String(last),
    min_prefix_length: min,
    max_prefix_length: max,
    time_created,
  }
}
