/** The class of liveness probes, which are sent only on request. */
export const probeClass = 'probe'

/** The grammar of subscriptions: exact classes, and globs. */
export const subscriptionPattern = /^([a-zA-Z0-9_]+|\*|\*\*)(\.([a-zA-Z0-9_]+|\*|\*\*))*$/
export const subscriptionMaxLength = 200
export const isGlob = (subscription: string): boolean => subscription.includes('*')

/** Whether a subscription covers a class; globs never cover probes. */
export const covers = (subscription: string, name: string): boolean =>
  isGlob(subscription)
    ? name !== probeClass && globCovers(subscription.split('.'), name)
    : name === subscription

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

/** Alerts of one page: each can tell much. */
export const alertPageMax = 1000

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
  /** Alerts of one kind that wait for a receiver: of one project, of one silo, or of the fleet. The oldest go. */
  waitingPerOwner: 200,
  /** All alerts that wait for a receiver. The oldest of the silo with the most go. */
  waitingPerReceiver: 2000,
  secretsPerReceiver: 10,
  subscriptionsPerReceiver: 100,
  /** Projects and silos whose activity a receiver gets. */
  placesPerReceiver: 100,
} as const
