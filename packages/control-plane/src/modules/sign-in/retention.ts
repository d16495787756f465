import { forgetFullBuckets } from '../../kernel/attempts.ts'
import type { Services } from '../../kernel/cx.ts'
import type { Reconciler } from '../../kernel/loop.ts'

const hour = 3_600_000
/** Devices that nobody confirmed are kept a little longer, so that whoever comes late is told why. */
const lateMs = hour

/** Forgets what can let nobody in any more. */
export const signInRetention: Reconciler = {
  name: 'sign-in-retention',
  everyMs: hour,
  run: async (services: Services) => {
    const { db, clock } = services
    const now = clock()
    const late = new Date(now.getTime() - lateMs)
    await forgetFullBuckets(services)
    await db.deleteFrom('device_auth_request').where('time_expires', '<', late).execute()
    await db.deleteFrom('device_access_token').where('time_expires', '<', late).execute()
    for (const table of ['passkey_challenge', 'pending_sign_in', 'totp_set_up'] as const)
      await db
        .deleteFrom(table as 'passkey_challenge')
        .where('time_expires', '<', now)
        .execute()
    await db.deleteFrom('saml_used_assertion').where('time_expires', '<', now).execute()
  },
}
