/** Kinds that go into the recycle bin when they are deleted, by their words. */
export const recycledKinds = [
  'instance',
  'disk',
  'snapshot',
  'instance-snapshot',
  'image',
  'floating-ip',
  'external-subnet',
  'vpc',
  'vpc-subnet',
  'project',
] as const
export type RecycledKind = (typeof recycledKinds)[number]

/** For how long a silo keeps what is deleted; 0 turns its recycle bin off. */
export const recycleBinHours = { min: 0, max: 720 } as const

/** What a silo's recycle bin holds at most: beyond it, the oldest goes. */
export const recycleBinItems = 5000

/** In this order they are restored: each needs what comes before it. */
export const restoreOrder = [
  'project',
  'vpc',
  'vpc-subnet',
  'floating-ip',
  'external-subnet',
  'image',
  'snapshot',
  'instance-snapshot',
  'disk',
  'instance',
] as const satisfies readonly RecycledKind[]

export const restorationLimits = {
  /** Items that a plan of a restoration tries; of more it says their number and size. */
  tried: 200,
  /** What a plan and a restoration name at most that does not come back as it was. */
  named: 200,
  /** Days to keep a finished one. */
  keptDays: 30,
} as const

/** How many other items one restore brings back with its own. */
export const restoredTogether = 50

/** What becomes of a part of an object that is restored. */
export const restoreOutcomes = ['back', 'changed', 'lost'] as const

/** How an object that cannot have its name back is called, after others that are called so already. */
export const restoredName = (name: string, attempt: number): string => {
  const suffix = attempt === 1 ? '-restored' : `-restored-${attempt}`
  return `${name.slice(0, 63 - suffix.length).replace(/-+$/, '')}${suffix}`
}

/** What is said of a part that does not come back as it was. */
export const restoreWords = {
  addressTaken: (address: string, now: string) => `${address} has been taken. It comes back with ${now}.`,
  attachedElsewhere: 'It is attached to another instance now.',
  bootDiskGone: 'It comes back without a boot disk.',
  deleted: 'It was deleted.',
  full: 'It has no room left.',
  inBin: 'It is in the recycle bin itself. Restore it too.',
  nameTaken: (name: string) => `The name ${name} has been taken.`,
  noAddress: 'No address is free.',
  noWay: 'The instance has no private address of its IP version, or too many external subnets.',
  poolGone: 'Its IP pool is not available to the silo any more.',
  stopped: 'It comes back stopped. What ran in memory is lost.',
  subnetGone: 'Its subnet was deleted.',
  userGone: 'This user or group was deleted.',
} as const

/** Why something left the bin before its time. */
export const purgeReasons = {
  expired: 'Its time in the recycle bin was over.',
  quota: 'The quota of the silo needed its storage.',
  pool: 'The IP pool needed its address.',
  subnets: 'The subnet pool needed its block.',
  disk: 'The storage was full.',
  sled: 'The sled that held it was removed for good.',
  bin: 'The recycle bin was full.',
  asked: 'It was deleted for good.',
} as const
export type PurgeReason = keyof typeof purgeReasons
