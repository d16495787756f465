import type { SystemIssue } from '@gantry/api/system/system'
import { byCause, issueLimits, type IssueKind, issueSeverities } from '@gantry/api/system/system.rules'
import type { Cx } from '../../context/cx.ts'
import { needFleet } from '../../lookup/need.ts'
import { withAcknowledgements } from './acknowledgements.ts'
import { withCauses } from './causes.ts'
import { type Episodes, readEpisodes } from './episodes.ts'
import { issueSources } from './sources.ts'

interface IssueFilter {
  state?: 'open' | 'past' | null | undefined
  kind?: readonly IssueKind[] | null | undefined
}

/**
 * Each source queries existing rows; episodes record what those do not. Open before past, and each cause before its
 * effects.
 */
export async function listIssues(
  cx: Cx,
  { state, kind }: IssueFilter,
): Promise<{ items: SystemIssue[]; cut: IssueKind[] }> {
  needFleet(cx, 'list_children')
  const open: SystemIssue[] = []
  const past: SystemIssue[] = []
  const cut = new Set<IssueKind>()
  let read: Promise<Episodes> | undefined
  const episodes = () => (read ??= readEpisodes(cx))
  for (const source of issueSources) {
    if (kind && kind.length > 0 && !kind.includes(source.kind)) continue
    const opened = state === 'past' ? [] : await sinceKnown(await source.open(cx), episodes)
    const ended = state === 'open' ? [] : ((await source.past?.(cx)) ?? (await episodes()).past(source.kind))
    if (Math.max(opened.length, ended.length) > issueLimits.listed) cut.add(source.kind)
    open.push(...opened.slice(0, issueLimits.listed))
    past.push(...ended.slice(0, issueLimits.listed))
  }
  const related = await withAcknowledgements(cx, await withCauses(cx.db, open))
  const grouped = byCause(related.sort(byWeight)).flatMap(({ issue, effects }) => [issue, ...effects])
  return { items: [...grouped, ...past.sort(byWeight)], cut: [...cut] }
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

/** The most severe first, then those that others follow from, then the newest. */
const byWeight = (a: SystemIssue, b: SystemIssue): number =>
  issueSeverities.indexOf(a.severity) - issueSeverities.indexOf(b.severity) ||
  Number(b.effects > 0) - Number(a.effects > 0) ||
  Number(isOpenFault(b)) - Number(isOpenFault(a)) ||
  newest(b).localeCompare(newest(a)) ||
  a.id.localeCompare(b.id)

const isOpenFault = ({ kind, ended }: SystemIssue): boolean => kind === 'fault' && ended === null

const newest = ({ ended, since }: SystemIssue): string => ended ?? since ?? ''
