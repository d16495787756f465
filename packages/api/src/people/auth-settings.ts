import { z } from 'zod'
import { Seconds } from './device.ts'
import { family, get, put } from '../op.ts'
import { named, Uuid } from '../schema.ts'

/** Maximum lifetime of new device tokens; if unset, `tokenSecondsDefault`. */
const limits = { device_token_max_ttl_seconds: Seconds.nullable() }

export const SiloAuthSettings = named(
  'SiloAuthSettings',
  z.object({ silo_id: Uuid, device_token_max_ttl_seconds: Seconds.nullish() }),
)
export type SiloAuthSettings = z.infer<typeof SiloAuthSettings>
const SiloAuthSettingsUpdate = named('SiloAuthSettingsUpdate', z.object(limits))
export type SiloAuthSettingsUpdate = z.infer<typeof SiloAuthSettingsUpdate>

export const authSettingsOps = family('silos', ['silo-auth-settings'], {
  authSettingsView: get('/v1/auth-settings', {
    summary: "Fetch the silo's rules for signing in",
    returns: SiloAuthSettings,
  }),
  authSettingsUpdate: put('/v1/auth-settings', {
    summary: "Update the silo's rules for signing in",
    body: SiloAuthSettingsUpdate,
    returns: SiloAuthSettings,
  }),
})
