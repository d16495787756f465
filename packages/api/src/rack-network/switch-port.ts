import { z } from 'zod'
import { Ip } from '../base/ip.ts'
import { del, family, get, post } from '../op.ts'
import { IdPaging, idSorts, list, maybe, Name, named, NameOrId, pageOf, Timestamp, Uuid } from '../schema.ts'
import { formerSlot, SwitchSlot } from './switch-slot.ts'
import { LldpLinkConfig } from './switch-port-settings.ts'
import { u32, u8 } from '../base/uint.ts'

export const SwitchPort = named(
  'SwitchPort',
  z.object({
    id: Uuid,
    rack_id: Uuid,
    switch_slot: SwitchSlot,
    port_name: Name,
    port_settings_id: Uuid.nullish(),
  }),
)
export type SwitchPort = z.infer<typeof SwitchPort>

const ManagementAddress = named(
  'ManagementAddress',
  z.object({
    addr: named(
      'NetworkAddress',
      z.union([z.object({ ip_addr: Ip }), z.object({ i_e_e_e802: list(u8, 32) })]),
    ),
    interface_num: named(
      'InterfaceNum',
      z.union([z.object({ unknown: u32 }), z.object({ if_index: u32 }), z.object({ port_number: u32 })]),
    ),
    oid: list(u8, 128).nullish(),
  }),
)
const LldpNeighbor = named(
  'LldpNeighbor',
  z.object({
    chassis_id: z.string(),
    link_name: z.string(),
    link_description: z.string().nullish(),
    local_port: z.string(),
    system_name: z.string().nullish(),
    system_description: z.string().nullish(),
    first_seen: Timestamp,
    last_seen: Timestamp,
    management_ip: z.array(ManagementAddress),
  }),
)
export type LldpNeighbor = z.infer<typeof LldpNeighbor>

/** Free-form: whatever the switch reports. */
const SwitchLinkState = named('SwitchLinkState', z.unknown())

const path = z.object({ port: Name })
const onSwitch = z.object({ rack_id: Uuid, switch_slot: SwitchSlot })

export const switchPortOps = {
  ...family('system/hardware', ['switch-port'], {
    networkingSwitchPortList: get('/v1/system/hardware/switch-port', {
      summary: 'List the external ports of switches',
      query: IdPaging.extend({ switch_port_id: maybe(Uuid) }),
      sorts: idSorts,
      returns: pageOf('SwitchPort', SwitchPort),
    }),
    networkingSwitchPortApplySettings: post('/v1/system/hardware/switch-port/{port}/settings', {
      changes: ['switch-port', 'network-trial'],
      summary: 'Apply settings to a switch port',
      path,
      query: onSwitch,
      formerParams: formerSlot,
      body: named('SwitchPortApplySettings', z.object({ port_settings: NameOrId })),
      status: 204,
    }),
    networkingSwitchPortClearSettings: del('/v1/system/hardware/switch-port/{port}/settings', {
      changes: ['switch-port', 'network-trial'],
      summary: 'Clear the settings of a switch port',
      path,
      query: onSwitch,
      formerParams: formerSlot,
    }),
    networkingSwitchPortStatus: get('/v1/system/hardware/switch-port/{port}/status', {
      reads: ['switch-port', 'switch-port-settings'],
      summary: 'Fetch the state of the links of a switch port',
      path,
      query: onSwitch,
      formerParams: formerSlot,
      returns: SwitchLinkState,
    }),
  }),
  ...family('system/networking', ['switch-port', 'switch-port-settings'], {
    networkingSwitchPortLldpConfigView: get('/v1/system/hardware/switch-port/{port}/lldp/config', {
      summary: 'Fetch the LLDP configuration of a switch port',
      path,
      query: onSwitch,
      formerParams: formerSlot,
      returns: LldpLinkConfig,
    }),
    networkingSwitchPortLldpConfigUpdate: post('/v1/system/hardware/switch-port/{port}/lldp/config', {
      changes: ['switch-port-settings', 'switch-port'],
      summary: 'Update the LLDP configuration of a switch port',
      path,
      query: onSwitch,
      formerParams: formerSlot,
      body: LldpLinkConfig,
      status: 204,
    }),
    networkingSwitchPortLldpNeighbors: get(
      '/v1/system/hardware/rack-switch-port/{rack_id}/{switch_slot}/{port}/lldp/neighbors',
      {
        summary: 'List the LLDP neighbors seen on a switch port',
        path: onSwitch.extend({ port: Name }),
        formerParams: formerSlot,
        query: IdPaging,
        returns: pageOf('LldpNeighbor', LldpNeighbor),
      },
    ),
  }),
}
