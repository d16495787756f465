import { z } from 'zod'
import { Ip, IpVersion } from '../base/ip.ts'
import { nameMaxLength } from '../base/name.rules.ts'
import { list, maybe, named, text } from '../schema.ts'

/** An id, an address or a name. */
const MulticastGroupIdentifier = named('MulticastGroupIdentifier', text(nameMaxLength))

/** A group that an instance shall be a member of. */
export const MulticastGroupJoin = named(
  'MulticastGroupJoinSpec',
  z.object({
    group: MulticastGroupIdentifier,
    ip_version: maybe(IpVersion),
    source_ips: maybe(list(Ip)),
  }),
)
export type MulticastGroupJoin = z.infer<typeof MulticastGroupJoin>
