export const issueKinds = [
  'fault',
  'unreachable_host',
  'filling_volume',
  'failed_instance',
  'failed_job',
  'nearly_full_pool',
  'quota_near_limit',
  'certificate_expiring',
  'metric_threshold',
  'stuck_update',
] as const
export type IssueKind = (typeof issueKinds)[number]

/** Most severe first. */
export const issueSeverities = ['critical', 'warning'] as const
export type IssueSeverity = (typeof issueSeverities)[number]

/** Thresholds from which something is an issue, and how long a failed job is one. */
export const issueLimits = {
  /** The allocated share of a pool's IPv4 or IPv6 addresses. */
  poolShare: 0.9,
  /** The used share of the volume of a host, which is a warning, and from which it is critical. */
  volumeShare: 0.8,
  volumeCriticalShare: 0.9,
  /** The provisioned share of a quota. */
  quotaShare: 0.9,
  /** Days before a certificate expires. */
  certificateDays: 30,
  /** Hours for which a failed job is open; afterwards it is past. */
  jobHours: 24,
  /** Minutes for which instances may delay the update of their sled. */
  drainMinutes: 15,
  /** Days for which a past issue is listed. */
  pastDays: 30,
  /** Maximum number of issues of one kind in a response. */
  listed: 200,
  /** Characters of the note of an acknowledgement. */
  noteMax: 500,
} as const

/** Issues without a cause that is listed, each with its effects, in the given order. */
export function byCause<Issue extends { id: string; cause: string | null; effects: number }>(
  issues: readonly Issue[],
): { issue: Issue; effects: Issue[] }[] {
  const ids = new Set(issues.map(({ id }) => id))
  return issues
    .filter(({ cause }) => cause === null || !ids.has(cause))
    .map((issue) => ({
      issue,
      effects: issue.effects > 0 ? issues.filter(({ cause }) => cause === issue.id) : [],
    }))
}
