/** What a user is notified of, with the words of the settings. */
export const notificationKinds = {
  task_failed: { label: 'My task failed', hint: 'Work that you began, and that did not succeed.' },
  task_finished: {
    label: 'My task took longer than a minute',
    hint: 'Work that you began, once it is done.',
  },
  instance_failed: { label: 'My instance failed', hint: 'An instance that you created.' },
  instance_restarted: { label: 'My instance was restarted', hint: 'By its auto-restart policy.' },
  quota: { label: 'A quota is nearly used up', hint: 'From 90%, for admins of the silo.' },
  certificate: { label: 'A certificate expires soon', hint: 'For admins of the silo.' },
  token: { label: 'My access token expires soon', hint: 'Within three days.' },
  role: { label: 'I was given a role', hint: 'By someone else, also through a group.' },
} as const satisfies Record<string, { label: string; hint: string }>
export type NotificationKind = keyof typeof notificationKinds
export const notificationKindNames = Object.keys(notificationKinds) as [
  NotificationKind,
  ...NotificationKind[],
]

/** Newest first. */
export const notificationSorts = ['time_and_id_descending', 'time_and_id_ascending'] as const

export const notificationLimits = {
  /** Unread ones that a user has at most; the oldest go. */
  perUser: 200,
  /** Days to keep one, read or not. */
  keptDays: 30,
  /** Seconds from which work that succeeded is worth a notification. */
  longSeconds: 60,
  /** Days before an access token expires. */
  tokenDays: 3,
  /** Maximum number marked as read at once. */
  readAtOnce: 200,
} as const
