import type { IssueAcknowledgement, SystemIssue } from '@gantry/api/system/system'
import { type IssueKind, issueKinds } from '@gantry/api/system/system.rules'
import type { Row } from '../../db/tables.ts'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { needFleet } from '../../lookup/need.ts'
import { notFound } from '../../context/refusal.ts'
import { readLimit } from './issue.ts'
import { issueSources } from './sources.ts'

type Acknowledgement = Row<'issue_acknowledgement'>

const viewOf = ({ note, user_name, time_created }: Acknowledgement): IssueAcknowledgement => ({
  note,
  user_name,
  time_created: time_created.toISOString(),
})

const kindOf = (issueId: string) => issueKinds.find((kind) => issueId.startsWith(`${kind}:`))

/** An issue that began anew since then is another one, which is not acknowledged. */
const isOf = ({ time_created }: Acknowledgement, { since }: SystemIssue): boolean =>
  since === null || Date.parse(since) <= time_created.getTime()

const openOf = async (cx: Cx, kind: IssueKind | undefined): Promise<SystemIssue[]> =>
  (await issueSources.find((source) => source.kind === kind)?.open(cx)) ?? []

export async function acknowledgeIssue(cx: Cx, issueId: string, note: string): Promise<IssueAcknowledgement> {
  needFleet(cx, 'modify')
  const open = await openOf(cx, kindOf(issueId))
  if (!open.some(({ id }) => id === issueId)) throw notFound('open issue', { id: issueId })
  const { user_id, display_name } = cx.user()
  return change(cx, fleetScope, async (tx) => {
    const given = { note, user_id, user_name: display_name, time_created: cx.now() }
    const row = await tx.plain
      .insertInto('issue_acknowledgement')
      .values({ id: cx.newId(), issue_id: issueId, ...given })
      .onConflict((conflict) => conflict.column('issue_id').doUpdateSet(given))
      .returningAll()
      .executeTakeFirstOrThrow()
    tx.note('issue-acknowledgement', row.id, undefined, { issue: issueId, note })
    return viewOf(row)
  })
}

export async function withdrawAcknowledgement(cx: Cx, issueId: string): Promise<void> {
  needFleet(cx, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const gone = await tx.plain
      .deleteFrom('issue_acknowledgement')
      .where('issue_id', '=', issueId)
      .returningAll()
      .executeTakeFirst()
    if (!gone) throw notFound('acknowledged issue', { id: issueId })
    tx.note('issue-acknowledgement', gone.id, { issue: issueId, note: gone.note }, undefined)
  })
}

/** Adds to each open issue who has seen it. There are at most as many as issues. */
export async function withAcknowledgements(cx: Cx, open: readonly SystemIssue[]): Promise<SystemIssue[]> {
  if (open.length === 0) return []
  const rows = await cx.db.selectFrom('issue_acknowledgement').selectAll().execute()
  const known = new Map(rows.map((row) => [row.issue_id, row]))
  return open.map((issue) => {
    const row = known.get(issue.id)
    return row && isOf(row, issue) ? { ...issue, acknowledgement: viewOf(row) } : issue
  })
}

/** Deletes acknowledgements of issues that are over. Beyond the limit of a list it is unknown what is over. */
export async function endAcknowledgements(cx: Cx): Promise<void> {
  const rows = await cx.db.selectFrom('issue_acknowledgement').selectAll().execute()
  for (const kind of new Set(rows.map(({ issue_id }) => kindOf(issue_id)))) {
    const open = await openOf(cx, kind)
    const issues = new Map(open.map((issue) => [issue.id, issue]))
    for (const row of rows.filter(({ issue_id }) => kindOf(issue_id) === kind)) {
      const issue = issues.get(row.issue_id)
      if (issue ? isOf(row, issue) : open.length === readLimit) continue
      await cx.services.db
        .deleteFrom('issue_acknowledgement')
        .where('id', '=', row.id)
        // Unless it has been given anew meanwhile.
        .where('time_created', '=', row.time_created)
        .execute()
    }
  }
}
