import { type IssueClass, isAlertClass } from '@gantry/api/system/alert-class.rules'
import type { SystemIssue } from '@gantry/api/system/system'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { change, fleetScope, type Scope } from '../../change/change.ts'
import { systemCx } from '../../context/cx.ts'
import type { Reconciler } from '../../work/loop.ts'
import { daysAgo, forgetOlder } from '../../db/retention.ts'
import type { Services } from '../../context/services.ts'
import { issueOfEpisode } from '../system/episodes.ts'
import { withCauses } from '../system/causes.ts'
import { raiseAlert } from './raise.ts'

/** Days to keep alerts, deliveries and attempts. */
const keptDays = 30
const atOnce = 100

/** Raises one alert when an issue begins and one when it ends: the mark commits with the alert. */
export const alertWatch: Reconciler = {
  name: 'alert-watch',
  everyMs: 1000,
  async run(services) {
    const episodes = await services.db
      .selectFrom('issue_episode')
      .selectAll()
      .where((eb) =>
        eb.or([
          eb('began_alerted', '=', false),
          eb.and([eb('ended_alerted', '=', false), eb('time_ended', 'is not', null)]),
        ]),
      )
      // What a project can cause many of comes last.
      .orderBy(sql`kind = 'failed_instance'`)
      .orderBy('time_began')
      .limit(atOnce)
      .execute()
    for (const episode of episodes) {
      if (!episode.began_alerted) await raise(services, episode, 'began')
      if (!episode.ended_alerted && episode.time_ended) await raise(services, episode, 'ended')
    }
    return episodes.length === atOnce ? 0 : undefined
  },
}

/** Of thresholds, the saved query tells. */
const isIssueClass = (name: string): name is IssueClass => isAlertClass(name)

async function raise(services: Services, episode: Row<'issue_episode'>, event: 'began' | 'ended') {
  const { id, kind, time_ended } = episode
  const name = `issue.${kind}.${event}`
  await change(systemCx(services, 'alert-watch'), fleetScope, async (tx) => {
    const marked = await tx.plain
      .updateTable('issue_episode')
      .set(event === 'began' ? { began_alerted: true } : { ended_alerted: true })
      .where('id', '=', id)
      .where(event === 'began' ? 'began_alerted' : 'ended_alerted', '=', false)
      .executeTakeFirst()
    // Another process was first.
    if (marked.numUpdatedRows === 0n || !isIssueClass(name)) return
    const issue = issueOfEpisode({ ...episode, time_ended: event === 'began' ? null : time_ended })
    const { severity, message, next_step, touches, since, ended } = issue
    const about = { subject: episode.issue_id, ...(await placeOf(tx.read, issue)) }
    const cause = event === 'began' ? await causeOf(tx.read, issue) : null
    await raiseAlert(tx, name, about, {
      severity,
      message,
      next_step,
      touches,
      cause,
      since,
      ended,
    })
  })
}

/** The issue by which this one began, such as that of a sled; null if it has none. */
const causeOf = async (db: Reader, issue: SystemIssue): Promise<string | null> =>
  (await withCauses(db, [issue]))[0]?.cause ?? null

/** Where the instance failed; the fleet for other issues. */
async function placeOf(db: Reader, { kind, touches: [first] }: SystemIssue): Promise<Scope> {
  if (kind !== 'failed_instance' || !first) return fleetScope
  const found = await db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select(['project.silo_id', 'instance.project_id'])
    .where('instance.id', '=', first.id)
    .executeTakeFirst()
  return found ?? fleetScope
}

/** Deletes old alerts with their deliveries and attempts. */
export const alertRetention: Reconciler = {
  name: 'alert-retention',
  everyMs: 3_600_000,
  async run(services) {
    const before = daysAgo(services, keptDays)
    const noLonger = (table: string, column: string): RawBuilder<unknown> =>
      sql`NOT EXISTS (SELECT FROM ${sql.table(table)} part WHERE part.${sql.ref(column)} = t.id)`
    // Attempts happen within hours of the start of their delivery.
    await forgetOlder(services, { table: 'alert_attempt', time: 'time_sent', before })
    const where = noLonger('alert_attempt', 'alert_delivery_id')
    await forgetOlder(services, { table: 'alert_delivery', time: 'time_started', before, where })
    const alerts = { table: 'alert', time: 'time_created', before } as const
    await forgetOlder(services, { ...alerts, where: noLonger('alert_delivery', 'alert_id') })
  },
}
