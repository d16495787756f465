/** What a caller may do with an object; `delete` and policies follow from these four. */
export const actions = ['read', 'list_children', 'create_child', 'modify'] as const
export type Action = (typeof actions)[number]

/** Faults that the simulated rack can be told to have. */
export const faultKinds = ['vm_crash', 'sled_lost', 'boot_failure', 'slow_boot'] as const
export type FaultKind = (typeof faultKinds)[number]
