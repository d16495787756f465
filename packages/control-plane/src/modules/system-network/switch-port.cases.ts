import type { switchPortOps } from '@gantry/api/rack-network/switch-port'
import { hardware, id } from '../../testing/case-values.ts'
import { type CasesOf, openly } from '../../testing/operation-case.ts'
import type { PolicyScene } from '../../testing/policy-scene.ts'

const switchPort = { path: { port: 'qsfp0' }, query: { rack_id: id, switch_slot: 'switch0' } }

const portPath = ({ rack }: PolicyScene['ids'], what: string, port = 'qsfp0') =>
  `${hardware}/switch-port/${port}/${what}?rack_id=${rack}&switch_location=switch0`

export const switchPortCases: CasesOf<typeof switchPortOps> = {
  networkingSwitchPortList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${hardware}/switch-port`],
  },
  networkingSwitchPortApplySettings: {
    sent: { ...switchPort, body: { port_settings: 'nobody' } },
    rule: openly('modify', 'fleet'),
    allowed: ({ ids }) => [portPath(ids, 'settings'), { port_settings: 'uplink' }],
  },
  networkingSwitchPortClearSettings: {
    sent: switchPort,
    rule: openly('modify', 'fleet'),
    allowed: ({ ids }) => [portPath(ids, 'settings', 'qsfp9')],
  },
  networkingSwitchPortStatus: {
    sent: switchPort,
    rule: openly('read', 'fleet'),
    allowed: ({ ids }) => [portPath(ids, 'status')],
  },
  networkingSwitchPortLldpConfigView: {
    sent: switchPort,
    rule: openly('read', 'fleet'),
    allowed: ({ ids }) => [portPath(ids, 'lldp/config')],
  },
  networkingSwitchPortLldpConfigUpdate: {
    sent: { ...switchPort, body: { id, enabled: true } },
    rule: openly('modify', 'fleet'),
    allowed: ({ ids }) => [portPath(ids, 'lldp/config'), { id: ids.rack, enabled: true }],
  },
  networkingSwitchPortLldpNeighbors: {
    sent: {
      path: { rack_id: id, switch_slot: 'switch0', port: 'qsfp0' },
    },
    rule: openly('list_children', 'fleet'),
    allowed: ({ ids }) => [`${hardware}/rack-switch-port/${ids.rack}/switch0/qsfp0/lldp/neighbors`],
  },
}
