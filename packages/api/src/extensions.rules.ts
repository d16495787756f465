/** What a caller may do with an object; `delete` and policies follow from these four. */
export const actions = ['read', 'list_children', 'create_child', 'modify'] as const
export type Action = (typeof actions)[number]

/** Faults that the simulated rack can be told to have. */
export const faultKinds = ['vm_crash', 'sled_lost', 'boot_failure', 'slow_boot'] as const
export type FaultKind = (typeof faultKinds)[number]

/**
 * What a listener of the change stream can look at besides projects. `utilization` stands apart from the rest of the
 * silo because it changes with every instance and disk.
 */
export const topics = ['silo', 'utilization', 'fleet'] as const
export type Topic = (typeof topics)[number]

/** Projects that one stream of changes can name. */
export const maxTopicProjects = 50
