import { z } from 'zod'
import { family, get, put } from '../op.ts'
import { named } from '../schema.ts'

const Settings = named(
  'SystemNetworkingSettings',
  z.object({
    /** Whether instances may have jumbo frames. */
    external_jumbo_frames_opt_in_enabled: z.boolean(),
  }),
)
export type NetworkingSettings = z.infer<typeof Settings>
const SettingsUpdate = named(
  'SystemNetworkingSettingsUpdate',
  z.object({ external_jumbo_frames_opt_in_enabled: z.boolean().default(false) }),
)
export type NetworkingSettingsUpdate = z.infer<typeof SettingsUpdate>

const path = '/v1/system/networking/settings'
const since = 2026060500

export const networkingSettingsOps = family('system/networking', ['networking-settings'], {
  systemNetworkingSettingsView: get(path, {
    since,
    summary: 'Fetch the networking settings of the system',
    returns: Settings,
  }),
  systemNetworkingSettingsUpdate: put(path, {
    since,
    summary: 'Update the networking settings of the system',
    body: SettingsUpdate,
    returns: Settings,
  }),
})
