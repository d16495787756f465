import type { Tag, TaggedKind } from './tag.rules.ts'

/** The kinds for which a silo can demand tags. */
export const demandableKinds = [
  'project',
  'instance',
  'disk',
  'snapshot',
  'instance-snapshot',
  'instance-backup',
  'image',
  'floating-ip',
  'external-subnet',
  'vpc',
] as const satisfies readonly TaggedKind[]
export type DemandableKind = (typeof demandableKinds)[number]

export const tagDemandLimits = { keys: 10 } as const

/** The demanded keys that these tags lack; a tag without a value says nothing. */
export const missingKeys = (demanded: readonly string[], tags: readonly Tag[]): string[] =>
  demanded.filter((key) => !tags.some((tag) => tag.key === key && tag.value !== ''))
