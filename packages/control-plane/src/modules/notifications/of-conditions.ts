import { notificationLimits } from '@gantry/api/history/notification.rules'
import { notificationWords } from '@gantry/api/history/notification-words.rules'
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

/** Issues of silos, for their admins: as many statements for one as for many. */
async function ofIssues(cx: Cx): Promise<Raised[]> {
  const episodes = await cx.db
    .selectFrom('issue_episode')
    .select(['id', 'kind', 'issue', 'time_began'])
    .where('kind', 'in', ['quota_near_limit', 'certificate_expiring'])
    .where('time_ended', 'is', null)
    .orderBy('time_began')
    .orderBy('id')
    .limit(atOnce)
    .execute()
  const named = episodes.flatMap((episode) => {
    const [first] = episode.issue.touches
    const name = first?.kind === 'silo' ? first.name : first?.silo_name
    return name ? [{ episode, name }] : []
  })
  if (named.length === 0) return []
  const silos = await cx.db
    .selectFrom('silo')
    .select(['id', 'name'])
    .where('name', 'in', [...new Set(named.map(({ name }) => name))])
    .where('time_deleted', 'is', null)
    .execute()
  const byName = new Map(silos.map(({ id, name }) => [name, id]))
  const admins = await adminsOf(
    cx,
    silos.map(({ id }) => id),
  )
  return named.flatMap(({ episode: { id, kind, issue, time_began }, name }) => {
    const silo_id = byName.get(name)
    if (silo_id === undefined) return []
    const of = kindsOfIssues[kind as keyof typeof kindsOfIssues]
    return (admins.get(silo_id) ?? []).map((silo_user_id): Raised => ({
      ...aboutNothing,
      silo_user_id,
      key: `issue:${id}`,
      kind: of,
      time: time_began,
      ...notificationWords[of](issue),
      silo_id,
    }))
  })
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
      ...notificationWords.token({ created: time_created, expires: time_expires }),
      silo_id,
    }))
}
