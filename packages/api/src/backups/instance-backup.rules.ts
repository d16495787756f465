export const instanceBackupStates = ['creating', 'ready', 'verifying', 'faulted'] as const
export type InstanceBackupState = (typeof instanceBackupStates)[number]

/** States in which each action is accepted: the server refuses by it, the console disables by it. */
export const instanceBackupAllows = {
  verify: ['ready', 'faulted'],
  restore: ['ready'],
  /** One that is being created is cancelled by its deletion. */
  delete: ['creating', 'ready', 'verifying', 'faulted'],
} as const satisfies Record<string, readonly InstanceBackupState[]>

/** Days to keep a restore that has ended. */
export const backupRestoresKeptDays = 30
