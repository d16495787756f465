/** What the alerts of an issue say when it begins and when it ends. */
interface IssueWords {
  began: string
  ended: string
}

/** Kinds of issues: each has a class of alerts for its beginning and one for its end. */
export const issues = {
  fault: {
    began: 'A sled or an instance has a fault',
    ended: 'The fault of a sled or an instance ended',
  },
  unreachable_host: {
    began: 'A sled became unreachable',
    ended: 'An unreachable sled can be reached again',
  },
  filling_volume: {
    began: 'The volume of a host is nearly full',
    ended: 'The volume of a host has room again',
  },
  failed_instance: {
    began: 'An instance failed',
    ended: 'A failed instance runs again, was stopped, or was deleted',
  },
  failed_job: {
    began: 'A background job failed',
    ended: 'A failed background job is a day old, and no longer listed as open',
  },
  nearly_full_pool: {
    began: 'An IP pool is nearly full',
    ended: 'An IP pool has free addresses again',
  },
  quota_near_limit: {
    began: 'The quota of a silo is nearly used up',
    ended: 'The quota of a silo has room again',
  },
  certificate_expiring: {
    began: 'A certificate expires within thirty days',
    ended: 'A certificate that was about to expire was deleted',
  },
  /** The alerts of the saved query tell of it. */
  metric_threshold: null,
  stuck_update: {
    began: 'The update of a component failed or is delayed',
    ended: 'The update of a component continues',
  },
} as const satisfies Record<string, IssueWords | null>
export type IssueKind = keyof typeof issues
export const issueKinds = Object.keys(issues) as [IssueKind, ...IssueKind[]]

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
