import { notificationLimits } from '@gantry/api/history/notification.rules'
import type { Cx } from '../../context/cx.ts'
import { dayMs } from '../../db/retention.ts'
import { aboutNothing, type Raised } from './raise.ts'
import { adminsOf } from './recipients.ts'

const kindsOfIssues = { quota_near_limit: 'quota', certificate_expiring: 'certificate' } as const

/** Pending conditions: quotas nearly used up, and what expires soon. */
export const ofConditions = async (cx: Cx): Promise<Raised[]> => [
  ...(await ofIssues(cx)),
  ...(await ofTokens(cx)),
]

/** Issues of a silo, for its admins. */
async function ofIssues(cx: Cx): Promise<Raised[]> {
  const episodes = await cx.db
    .selectFrom('issue_episode')
    .select(['id', 'kind', 'issue', 'time_began'])
    .where('kind', 'in', ['quota_near_limit', 'certificate_expiring'])
    .where('time_ended', 'is', null)
    .orderBy('id')
    .execute()
  const raised: Raised[] = []
  for (const { id, kind, issue, time_began } of episodes) {
    const [first] = issue.touches
    const name = first?.kind === 'silo' ? first.name : first?.silo_name
    const silo = await cx.db
      .selectFrom('silo')
      .select(['id', 'name'])
      .where('name', '=', name ?? '')
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (!silo) continue
    for (const silo_user_id of await adminsOf(cx, silo.id))
      raised.push({
        ...aboutNothing,
        silo_user_id,
        key: `issue:${id}`,
        kind: kindsOfIssues[kind as keyof typeof kindsOfIssues],
        time: time_began,
        title: kind === 'quota_near_limit' ? 'A quota is nearly used up' : 'A certificate expires soon',
        message: issue.message,
        next_step:
          kind === 'quota_near_limit'
            ? 'Free unused resources, or ask the operator for more.'
            : issue.next_step,
        silo_id: silo.id,
      })
  }
  return raised
}

const soonMs = notificationLimits.tokenDays * dayMs
const atOnce = 500

/** Tokens that live for days: short ones are renewed all the time. */
async function ofTokens(cx: Cx): Promise<Raised[]> {
  const now = cx.now()
  const rows = await cx.db
    .selectFrom('device_access_token')
    .innerJoin('silo_user', 'silo_user.id', 'device_access_token.silo_user_id')
    .select(['device_access_token.id', 'silo_user_id', 'silo_id'])
    .select(['device_access_token.time_created', 'time_expires'])
    .where('time_expires', '>', now)
    .where('time_expires', '<', new Date(now.getTime() + soonMs))
    .where('time_fetched', 'is not', null)
    .orderBy('time_expires')
    .limit(atOnce)
    .execute()
  return rows
    .filter(({ time_created, time_expires }) => time_expires.getTime() - time_created.getTime() > 2 * soonMs)
    .map(({ id, silo_user_id, silo_id, time_created, time_expires }) => ({
      ...aboutNothing,
      silo_user_id,
      key: `token:${id}`,
      kind: 'token',
      time: now,
      title: `An access token expires on ${time_expires.toISOString().slice(0, 10)}`,
      message: `It was created on ${time_created.toISOString().slice(0, 10)}.`,
      next_step: 'Sign the program in again to replace it.',
      silo_id,
    }))
}
