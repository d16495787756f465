/** What can be done to many instances in one request, each as the call for a single one does it. */
export const bulkActions = ['start', 'stop', 'reboot', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]

export const bulkActionLimits = {
  instances: 1000,
  /** Hours for which a finished one is remembered. */
  keptHours: 24,
  /** The newest so many are listed. */
  listed: 20,
} as const
