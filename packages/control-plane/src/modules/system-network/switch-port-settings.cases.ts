import type { switchPortSettingsOps } from '@gantry/api/rack-network/switch-port-settings'
import { fresh, network } from '../../testing/case-values.ts'
import { type CasesOf, openly } from '../../testing/operation-case.ts'
import { bareSettings } from '../../testing/rack-network.ts'

export const switchPortSettingsCases: CasesOf<typeof switchPortSettingsOps> = {
  networkingSwitchPortSettingsList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${network}/switch-port-settings`],
  },
  networkingSwitchPortSettingsCreate: {
    sent: { body: bareSettings('new-one') },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${network}/switch-port-settings`, bareSettings(fresh())],
  },
  networkingSwitchPortSettingsDelete: {
    sent: { query: { port_settings: 'nobody' } },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${network}/switch-port-settings?port_settings=nowhere`],
  },
  networkingSwitchPortSettingsView: {
    sent: { path: { port: 'nobody' } },
    rule: openly('read', 'fleet'),
    allowed: () => [`${network}/switch-port-settings/uplink`],
  },
}
