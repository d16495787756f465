import { certificateIssues } from './certificates.ts'
import { instanceIssues, jobIssues } from './failures.ts'
import { faultIssues } from './faults.ts'
import { volumeIssues } from './filling-volumes.ts'
import type { IssueSource } from './issue.ts'
import { poolIssues, quotaIssues } from './shortages.ts'
import { updateIssues } from './stuck-update.ts'
import { thresholdIssues } from './thresholds.ts'
import { hostIssues } from './unreachable-hosts.ts'

/** One for each kind of issue. Causes come before the instances that fail by them, and so do their alerts. */
export const issueSources: readonly IssueSource[] = [
  faultIssues,
  hostIssues,
  volumeIssues,
  instanceIssues,
  jobIssues,
  poolIssues,
  quotaIssues,
  certificateIssues,
  thresholdIssues,
  updateIssues,
]
