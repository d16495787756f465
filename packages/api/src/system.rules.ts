export const issueKinds = [
  'fault',
  'unreachable_host',
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
} as const
