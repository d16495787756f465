export const snapshotAllows = { delete: ['ready', 'faulted'] } as const
