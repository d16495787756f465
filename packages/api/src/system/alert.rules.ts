import type { IssueKind } from './system.rules.ts'

/** Each kind of issue has its alerts; those of thresholds tell whose query it is. */
type IssueAlert = `issue.${Exclude<IssueKind, 'metric_threshold'>}.${'began' | 'ended'}`

/** Classes of alerts. A liveness probe is sent only on request. */
export const probeClass = 'probe'
export const alertClasses = {
  [probeClass]: 'A request that tests whether a receiver is reachable',
  'issue.unreachable_host.began': 'A sled became unreachable',
  'issue.unreachable_host.ended': 'An unreachable sled can be reached again',
  'issue.filling_volume.began': 'The volume of a host is nearly full',
  'issue.filling_volume.ended': 'The volume of a host has room again',
  'issue.fault.began': 'A sled or an instance has a fault',
  'issue.fault.ended': 'The fault of a sled or an instance ended',
  'issue.failed_instance.began': 'An instance failed',
  'issue.failed_instance.ended': 'A failed instance runs again, was stopped, or was deleted',
  'issue.failed_job.began': 'A background job failed',
  'issue.failed_job.ended': 'A failed background job is a day old, and no longer listed as open',
  'issue.nearly_full_pool.began': 'An IP pool is nearly full',
  'issue.nearly_full_pool.ended': 'An IP pool has free addresses again',
  'issue.quota_near_limit.began': 'The quota of a silo is nearly used up',
  'issue.quota_near_limit.ended': 'The quota of a silo has room again',
  'issue.certificate_expiring.began': 'A certificate expires within thirty days',
  'issue.certificate_expiring.ended': 'A certificate that was about to expire was deleted',
  'issue.stuck_update.began': 'The update of a component failed or is delayed',
  'issue.stuck_update.ended': 'The update of a component continues',
  'metric.fleet_threshold.began': "A measurement crossed the threshold of one of the fleet's saved queries",
  'metric.fleet_threshold.ended': "The threshold of one of the fleet's saved queries is no longer crossed",
  'metric.project_threshold.began': "A measurement crossed the threshold of a project's saved query",
  'metric.project_threshold.ended': "The threshold of a project's saved query is no longer crossed",
} as const satisfies Record<IssueAlert, string> & Record<string, string>
export type AlertClass = keyof typeof alertClasses
export const alertClassNames = Object.keys(alertClasses) as AlertClass[]

export const isAlertClass = (name: string): name is AlertClass => Object.hasOwn(alertClasses, name)

/** The grammar of subscriptions: exact classes, and globs. */
export const subscriptionPattern = /^([a-zA-Z0-9_]+|\*|\*\*)(\.([a-zA-Z0-9_]+|\*|\*\*))*$/
export const subscriptionMaxLength = 200
export const isGlob = (subscription: string): boolean => subscription.includes('*')

/** Whether a subscription covers a class; globs never cover probes. */
export const covers = (subscription: string, name: string): boolean =>
  isGlob(subscription)
    ? name !== probeClass && globCovers(subscription.split('.'), name)
    : name === subscription

/** The classes that a subscription covers. */
export const classesOf = (subscription: string): AlertClass[] =>
  alertClassNames.filter((name) => covers(subscription, name))

/** `*` stands for one segment, `**` for one or more characters with dots. */
function globCovers([first, ...rest]: readonly string[], text: string): boolean {
  if (first === undefined) return text === ''
  const ends = [...Array.from(text.matchAll(/\./g), ({ index }) => index), text.length]
  return ends.some((end) => {
    const head = text.slice(0, end)
    const fits =
      first === '**' ? head !== '' : first === '*' ? head !== '' && !head.includes('.') : head === first
    if (!fits) return false
    return rest.length === 0
      ? end === text.length
      : end < text.length && globCovers(rest, text.slice(end + 1))
  })
}

/** Maximum characters of an endpoint, and of a secret. */
export const webhookTextMax = 512

/** The problem with the URL of a receiver. Each delivery checks whether it may be called. */
export function endpointProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'expected a URL such as https://alerts.example.com/hook'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:')
    return 'expected a URL that begins with https:// or http://'
  if (username !== '' || password !== '')
    return 'expected a URL without a user name or password; sign deliveries with a secret instead'
  return undefined
}

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]
export const deliveryTriggers = ['alert', 'resend', 'probe'] as const
export type DeliveryTrigger = (typeof deliveryTriggers)[number]
export const attemptResults = [
  'succeeded',
  'failed_http_error',
  'failed_unreachable',
  'failed_timeout',
] as const
export type AttemptResult = (typeof attemptResults)[number]

export const deliveryRules = {
  attempts: 3,
  /** Seconds until the second and the third attempt. */
  backOffSeconds: [60, 300],
  connectSeconds: 10,
  requestSeconds: 30,
  /** A process that is silent for longer has died. */
  leaseSeconds: 60,
  /** Bytes kept of a response. */
  keptBytes: 2048,
  /**
   * Alerts of one project that a receiver is sent in a minute; the others wait. Those of the fleet have no limit, and
   * go first.
   */
  projectPerMinute: 30,
  secretsPerReceiver: 10,
  subscriptionsPerReceiver: 100,
} as const
