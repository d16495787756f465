export const snapshotStates = ['creating', 'ready', 'faulted', 'destroyed'] as const

/** States in which each action is accepted: the server refuses by it, the console disables by it. */
export const snapshotAllows = { delete: ['ready', 'faulted'], createImage: ['ready'] } as const
