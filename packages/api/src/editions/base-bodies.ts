import { z } from 'zod'
import { Ip, IpNet } from '../base/ip.ts'
import { InstanceCreate, InstanceUpdate } from '../compute/instance.ts'
import { InterfaceCreate } from '../network/network-interface.ts'
import { FloatingIpCreate } from '../network/floating-ip.ts'
import { ProbeCreate } from '../network/probe.ts'
import type { OpName } from '../registry.ts'
import { LoopbackAddressCreate } from '../rack-network/address-lot.ts'
import { BgpPeer, SwitchPortSettingsCreate } from '../rack-network/switch-port-settings.ts'
import { BfdSessionDisable, BfdSessionEnable } from '../rack-network/bfd.ts'
import { identityCreate, list, maybe, Name, NameOrId, Uuid } from '../schema.ts'
import { BlockSize, DiskCreate } from '../storage/disk.ts'

/**
 * The bodies of the base edition that changed since, so that its clients are refused in the words that they know. What
 * they accept is then translated as that of any older version (`versions/`).
 */

const pool = { pool: maybe(NameOrId) }
const source = {
  disk_source: z.discriminatedUnion('type', [
    z.object({ type: z.literal('blank'), block_size: BlockSize }),
    z.object({ type: z.literal('snapshot'), snapshot_id: Uuid }),
    z.object({ type: z.literal('image'), image_id: Uuid }),
    z.object({ type: z.literal('importing_blocks'), block_size: BlockSize }),
  ]),
}
const disk = DiskCreate.omit({ disk_backend: true }).extend(source)
const networkInterface = InterfaceCreate.omit({ ip_config: true }).extend({
  ip: maybe(Ip),
  transit_ips: list(IpNet).default([]),
})
const [, attach] = InstanceCreate.shape.disks.unwrap().element.options
const [, floating] = InstanceCreate.shape.external_ips.unwrap().element.options
const instanceDisk = z.discriminatedUnion('type', [
  z.object({ type: z.literal('create'), ...disk.shape }),
  attach,
])

export const baseBodies: Readonly<Partial<Record<OpName, z.ZodObject>>> = {
  diskCreate: disk,
  instanceCreate: InstanceCreate.omit({
    cpu_platform: true,
    enable_jumbo_frames: true,
    multicast_groups: true,
  }).extend({
    network_interfaces: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('create'), params: list(networkInterface) }),
        z.object({ type: z.literal('default') }),
        z.object({ type: z.literal('none') }),
      ])
      .default({ type: 'default' }),
    external_ips: list(
      z.discriminatedUnion('type', [z.object({ type: z.literal('ephemeral'), ...pool }), floating]),
    ).default([]),
    disks: list(instanceDisk).default([]),
    boot_disk: maybe(instanceDisk),
  }),
  instanceUpdate: InstanceUpdate.omit({
    cpu_platform: true,
    enable_jumbo_frames: true,
    multicast_groups: true,
  }),
  instanceEphemeralIpAttach: z.object(pool),
  instanceNetworkInterfaceCreate: networkInterface,
  floatingIpCreate: FloatingIpCreate.omit({ address_allocator: true }).extend({ ip: maybe(Ip), ...pool }),
  networkingBfdEnable: BfdSessionEnable.omit({ switch_slot: true }).extend({ switch: Name }),
  networkingBfdDisable: BfdSessionDisable.omit({ switch_slot: true }).extend({ switch: Name }),
  networkingLoopbackAddressCreate: LoopbackAddressCreate.omit({ switch_slot: true }).extend({
    switch_location: Name,
  }),
  networkingSwitchPortSettingsCreate: SwitchPortSettingsCreate.omit({ bgp_peers: true }).extend({
    bgp_peers: list(
      z.object({
        link_name: Name,
        peers: list(BgpPeer.omit({ addr: true }).extend({ addr: Ip, interface_name: Name })),
      }),
      16,
    ).default([]),
  }),
  probeCreate: z.object({ ...identityCreate, sled: ProbeCreate.shape.sled, ip_pool: maybe(NameOrId) }),
}
