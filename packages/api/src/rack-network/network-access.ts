import { z } from 'zod'
import { IpNet } from '../base/ip.ts'
import { family, get, put } from '../op.ts'
import { list, named, Timestamp } from '../schema.ts'

/** Above the number of entries allowed, so that the refusal is the API's. */
const listedMax = 4096
export const AllowedSourceIps = named(
  'AllowedSourceIps',
  z.discriminatedUnion('allow', [
    z.object({ allow: z.literal('any') }),
    z.object({
      allow: z.literal('list'),
      ips: list(IpNet, listedMax).refine((ips) => ips.length > 0, 'IP allowlist must not be empty'),
    }),
  ]),
)
export type AllowedSourceIps = z.infer<typeof AllowedSourceIps>

const AllowList = named(
  'AllowList',
  z.object({ time_created: Timestamp, time_modified: Timestamp, allowed_ips: AllowedSourceIps }),
)
export type AllowList = z.infer<typeof AllowList>
const ServiceIcmpConfig = named('ServiceIcmpConfig', z.object({ enabled: z.boolean() }))
export type ServiceIcmpConfig = z.infer<typeof ServiceIcmpConfig>

export const networkAccessOps = {
  ...family('system/networking', ['allow-list'], {
    networkingAllowListView: get('/v1/system/networking/allow-list', {
      summary: 'Fetch the addresses that may reach the API and the console',
      returns: AllowList,
    }),
    networkingAllowListUpdate: put('/v1/system/networking/allow-list', {
      changes: ['allow-list', 'network-trial'],
      summary: 'Update the addresses that may reach the API and the console',
      body: named('AllowListUpdate', z.object({ allowed_ips: AllowedSourceIps })),
      returns: AllowList,
    }),
  }),
  ...family('system/networking', ['inbound-icmp'], {
    networkingInboundIcmpView: get('/v1/system/networking/inbound-icmp', {
      summary: 'Fetch whether the API may receive ICMP messages',
      returns: ServiceIcmpConfig,
    }),
    networkingInboundIcmpUpdate: put('/v1/system/networking/inbound-icmp', {
      summary: 'Set whether the API may receive ICMP messages',
      body: ServiceIcmpConfig,
      status: 204,
    }),
  }),
}
