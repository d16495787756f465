import type { networkingSettingsOps } from '@gantry/api/rack-network/networking-settings'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

const path = '/v1/system/networking/settings'
const off = { external_jumbo_frames_opt_in_enabled: false }

export const networkingSettingsCases: CasesOf<typeof networkingSettingsOps> = {
  systemNetworkingSettingsView: { sent: {}, rule: openly('read', 'fleet'), allowed: () => [path] },
  systemNetworkingSettingsUpdate: {
    sent: { body: off },
    rule: openly('modify', 'fleet'),
    allowed: () => [path, off],
  },
}
