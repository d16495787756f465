import type { SystemIssue } from '@gantry/api/system'
import { issueLimits, type IssueKind, issueSeverities } from '@gantry/api/system.rules'
import type { Cx } from '../../kernel/cx.ts'
import { needFleet } from '../../kernel/need.ts'
import { certificateIssues } from './certificates.ts'
import { type Episodes, readEpisodes } from './episodes.ts'
import { instanceIssues, jobIssues } from './failures.ts'
import { faultIssues } from './faults.ts'
import type { IssueSource } from './issue.ts'
import { updateIssues } from './stuck-update.ts'
import { thresholdIssues } from './thresholds.ts'
import { hostIssues } from './unreachable-hosts.ts'
import { poolIssues, quotaIssues } from './shortages.ts'

const sources: readonly IssueSource[] = [
  faultIssues,
  hostIssues,
  instanceIssues,
  jobIssues,
  poolIssues,
  quotaIssues,
  certificateIssues,
  thresholdIssues,
  updateIssues,
]

interface IssueFilter {
  state?: 'open' | 'past' | null | undefined
  kind?: readonly IssueKind[] | null | undefined
}

/** Each source queries existing rows; episodes record what those do not. */
export async function listIssues(
  cx: Cx,
  { state, kind }: IssueFilter,
): Promise<{ items: SystemIssue[]; cut: IssueKind[] }> {
  needFleet(cx, 'list_children')
  const items: SystemIssue[] = []
  const cut = new Set<IssueKind>()
  let read: Promise<Episodes> | undefined
  const episodes = () => (read ??= readEpisodes(cx))
  for (const source of sources) {
    if (kind && kind.length > 0 && !kind.includes(source.kind)) continue
    const open = state === 'past' ? [] : await sinceKnown(await source.open(cx), episodes)
    const past = state === 'open' ? [] : ((await source.past?.(cx)) ?? (await episodes()).past(source.kind))
    for (const found of [open, past]) {
      if (found.length > issueLimits.listed) cut.add(source.kind)
      items.push(...found.slice(0, issueLimits.listed))
    }
  }
  return { items: items.sort(byWeight), cut: [...cut] }
}

/** Open and past issues by kind and id, for readers outside the installation. */
export async function issuesWithoutNames(cx: Cx) {
  const { items } = await listIssues(cx, {})
  return items.map(({ kind, severity, since, ended, touches }) => ({
    kind,
    severity,
    since,
    ended,
    touches: touches.map(({ kind: what, id }) => ({ kind: what, id })),
  }))
}

/** Adds the beginning of the episode to issues whose rows do not record one. */
async function sinceKnown(issues: SystemIssue[], episodes: () => Promise<Episodes>): Promise<SystemIssue[]> {
  if (issues.every(({ since }) => since !== null)) return issues
  const { began } = await episodes()
  return issues.map((issue) => ({ ...issue, since: issue.since ?? began.get(issue.id) ?? null }))
}

/**
 * Open before past, the most severe first, then the newest. An open fault precedes the failures that it causes, which
 * can be many.
 */
const byWeight = (a: SystemIssue, b: SystemIssue): number =>
  Number(a.ended !== null) - Number(b.ended !== null) ||
  issueSeverities.indexOf(a.severity) - issueSeverities.indexOf(b.severity) ||
  Number(isOpenFault(b)) - Number(isOpenFault(a)) ||
  newest(b).localeCompare(newest(a)) ||
  a.id.localeCompare(b.id)

const isOpenFault = ({ kind, ended }: SystemIssue): boolean => kind === 'fault' && ended === null

const newest = ({ ended, since }: SystemIssue): string => ended ?? since ?? ''
