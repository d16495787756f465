import { forgetFullBuckets } from '@gantry/control-plane/work/attempts'
import { forgetOlder } from '@gantry/control-plane/db/retention'
import { latestPast } from '@gantry/control-plane/context/time'
import type { Services } from '@gantry/control-plane/context/services'
import type { Reconciler } from '@gantry/control-plane/work/loop'
import { forgetFailedSignIns } from './failed-sign-ins.ts'

/** Rows that began while the clock was ahead would outlast any limit. */
export async function repairSignIn({ db }: Services, now: Date): Promise<void> {
  const past = latestPast(now)
  await db.deleteFrom('device_auth_request').where('time_created', '>', past).execute()
  await db.deleteFrom('device_access_token').where('time_created', '>', past).execute()
}

const hour = 3_600_000
/** Unapproved device requests are kept a little longer, so that late users get an explanation. */
const lateMs = hour

/** Deletes expired credentials. */
export const signInRetention: Reconciler = {
  name: 'sign-in-retention',
  everyMs: hour / 12,
  run: async (services: Services) => {
    const now = services.clock()
    const late = new Date(now.getTime() - lateMs)
    await forgetFullBuckets(services)
    await forgetFailedSignIns(services)
    for (const table of ['device_auth_request', 'device_access_token'] as const)
      await forgetOlder(services, { table, time: 'time_expires', before: late })
    for (const table of [
      'passkey_challenge',
      'pending_sign_in',
      'saml_sign_in_test',
      'saml_used_assertion',
      'totp_set_up',
    ] as const)
      await forgetOlder(services, { table, time: 'time_expires', before: now })
  },
}
