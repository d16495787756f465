import type { SystemIssue } from '@gantry/api/system/system'
import { type IssueKind, issueLimits, issueSeverities } from '@gantry/api/system/system.rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { newUuid } from '../../context/ids.ts'
import type { Reconciler } from '../../work/loop.ts'
import { forgetOlder } from '../../db/retention.ts'
import type { Services } from '../../context/services.ts'
import { systemCx } from '../../context/cx.ts'
import { endAcknowledgements } from './acknowledgements.ts'
import { hoursBefore, type Looking, readLimit, unrelated } from './issue.ts'
import { issueSources } from './sources.ts'

/** When something began or ended is known to the interval: each check costs one query for each source. */
export const issueWatch: Reconciler = {
  name: 'issues',
  everyMs: 60_000,
  async run(services) {
    await keepEpisodes(services)
    await endAcknowledgements(systemCx(services, 'reconcile:issues'))
    return services.settings.issues.check_seconds * 1000
  },
}

const keptSince = (now: Date): Date => hoursBefore(now, issueLimits.pastDays * 24)

const weight = ({ severity }: SystemIssue): number => issueSeverities.indexOf(severity)

type Keeper = Pick<Services, 'certificates' | 'clock' | 'db' | 'ending' | 'random'>
type Episode = Row<'issue_episode'>

/** Begins an episode for each open issue without one, ends those whose issue is over, and forgets old ones. */
export async function keepEpisodes(keeper: Keeper): Promise<void> {
  const { db, clock } = keeper
  const now = clock()
  const running = await db.selectFrom('issue_episode').selectAll().where('time_ended', 'is', null).execute()
  const known = new Map(running.map((episode) => [episode.issue_id, episode]))
  for (const { kind, open } of issueSources) {
    const issues = await open({ db, now: () => now, services: keeper })
    await begin(
      keeper,
      issues.filter(({ id }) => !known.has(id)),
      now,
    )
    for (const issue of issues) await worsen(db, known.get(issue.id), issue)
    const ids = new Set(issues.map(({ id }) => id))
    // Beyond the limit it is unknown what is over.
    if (issues.length < readLimit)
      await end(
        db,
        running.filter((episode) => episode.kind === kind && !ids.has(episode.issue_id)),
        now,
      )
  }
  await forgetOlder(keeper, { table: 'issue_episode', time: 'time_ended', before: keptSince(now) })
}

async function begin({ db, random }: Keeper, issues: readonly SystemIssue[], now: Date): Promise<void> {
  if (issues.length === 0) return
  const episodes = issues.map((issue) => ({
    id: newUuid(random),
    issue_id: issue.id,
    kind: issue.kind,
    issue: JSON.stringify(issue),
    time_began: issue.since ? new Date(issue.since) : now,
  }))
  await db
    .insertInto('issue_episode')
    .values(episodes)
    // Another process looked at the same moment.
    .onConflict((conflict) => conflict.columns(['issue_id']).where('time_ended', 'is', null).doNothing())
    .execute()
}

/** An episode tells of its issue at its worst. */
async function worsen(db: Db, episode: Episode | undefined, issue: SystemIssue): Promise<void> {
  if (!episode || weight(issue) >= weight(episode.issue)) return
  await db
    .updateTable('issue_episode')
    .set({ issue: JSON.stringify(issue) })
    .where('id', '=', episode.id)
    .execute()
}

async function end(db: Db, over: readonly Episode[], now: Date): Promise<void> {
  if (over.length === 0) return
  const ids = over.map(({ id }) => id)
  await db
    .updateTable('issue_episode')
    .set({ time_ended: now })
    .where('id', 'in', ids)
    .where('time_ended', 'is', null)
    .execute()
}

/** The part of them that the list of issues needs. */
export interface Episodes {
  /** Since when an open issue is known, by its id. */
  began: ReadonlyMap<string, string>
  past: (kind: IssueKind) => SystemIssue[]
}

/** One statement for all kinds: at most one more of each than are listed. */
export async function readEpisodes(look: Pick<Looking, 'db' | 'now'>): Promise<Episodes> {
  const { rows } = await sql<Episode>`
    SELECT * FROM (
      SELECT e.*, row_number() OVER (PARTITION BY kind, time_ended IS NULL ORDER BY time_ended DESC, id) AS position
      FROM issue_episode e WHERE time_ended IS NULL OR time_ended > ${keptSince(look.now())}) AS numbered
    WHERE position <= ${readLimit} ORDER BY position`.execute(look.db)
  const running = rows.filter(({ time_ended }) => time_ended === null)
  return {
    began: new Map(running.map(({ issue_id, time_began }) => [issue_id, time_began.toISOString()])),
    past: (kind) => rows.filter((row) => row.kind === kind && row.time_ended !== null).map(pastIssue),
  }
}

const pastIssue = (episode: Episode): SystemIssue => ({
  ...issueOfEpisode(episode),
  id: `${episode.kind}:${episode.id}`,
})

/** The issue at its worst, with the times of its episode: when it was seen, some were not known. */
export const issueOfEpisode = ({ issue, time_began, time_ended }: Episode): SystemIssue => ({
  ...unrelated,
  ...issue,
  since: time_began.toISOString(),
  ended: time_ended?.toISOString() ?? null,
})
