import { interfaceKinds } from '../../rack-network/switch-port.rules.ts'
import { arrayOf, type Dated, isObject, object, ref, reshaped } from '../dated.ts'

/** The VLANs of interfaces were a list of their own. */
export const kindsOfInterfaces: Dated = {
  version: 2026050700,
  types: {
    SwitchVlanInterfaceConfig: {
      schema: () =>
        object({
          interface_config_id: { type: 'string', format: 'uuid' },
          vlan_id: { type: 'integer', format: 'uint16', minimum: 0, maximum: 65_535 },
        }),
    },
    SwitchInterfaceKind2: { schema: () => ({ type: 'string', enum: interfaceKinds }) },
    SwitchInterfaceConfig: {
      schema: (newer) => reshaped(newer, ['kind'], { kind: ref('SwitchInterfaceKind2') }),
      // The settings that it is in become older as a whole.
      down: (newer) => newer,
    },
    SwitchPortSettings: {
      schema: (newer) => reshaped(newer, [], { vlan_interfaces: arrayOf(ref('SwitchVlanInterfaceConfig')) }),
      down: (newer) => {
        const interfaces = (newer['interfaces'] as unknown[]).filter(isObject)
        const kindOf = (each: Record<string, unknown>) => each['kind'] as { type: string; vid?: number }
        return {
          ...newer,
          interfaces: interfaces.map((each) => ({ ...each, kind: kindOf(each).type })),
          vlan_interfaces: interfaces.flatMap((each) => {
            const { vid } = kindOf(each)
            return vid === undefined ? [] : [{ interface_config_id: each['id'], vlan_id: vid }]
          }),
        }
      },
    },
  },
}
