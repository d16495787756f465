import type { IssueKind } from './system.rules.ts'

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
} as const satisfies Record<IssueKind, IssueWords | null>
