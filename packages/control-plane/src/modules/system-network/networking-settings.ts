import type {
  NetworkingSettings,
  NetworkingSettingsUpdate,
} from '@gantry/api/rack-network/networking-settings'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import { needFleet } from '../../lookup/need.ts'

/** No fleet carries frames beyond the standard size. */
const settings: NetworkingSettings = { external_jumbo_frames_opt_in_enabled: false }

export function viewNetworkingSettings(cx: Cx): NetworkingSettings {
  needFleet(cx, 'read')
  return settings
}

export function updateNetworkingSettings(cx: Cx, wanted: NetworkingSettingsUpdate): NetworkingSettings {
  needFleet(cx, 'modify')
  if (wanted.external_jumbo_frames_opt_in_enabled)
    throw invalid(
      'this rack cannot carry jumbo frames',
      'Leave `external_jumbo_frames_opt_in_enabled` false.',
    )
  return settings
}
