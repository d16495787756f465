import type { authSettingsOps } from '@gantry/api/people/auth-settings'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

export const authSettingsCases: CasesOf<typeof authSettingsOps> = {
  authSettingsView: { sent: {}, rule: openly('read', 'silo'), allowed: () => ['/v1/auth-settings'] },
  authSettingsUpdate: {
    sent: { body: { device_token_max_ttl_seconds: 3600 } },
    rule: openly('modify', 'silo'),
    allowed: () => ['/v1/auth-settings', { device_token_max_ttl_seconds: null }],
  },
}
