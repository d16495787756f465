import { isLonger } from '../base/text.rules.ts'
import { mostCounted, mostRead } from './tag-counts.rules.ts'

/**
 * Kinds that can have tags, by their words, in the order in which changes lock them. Firewall rules are replaced as one
 * list, and what only joins two other objects has no name to find it by.
 */
export const taggedKinds = [
  'silo',
  'project',
  'instance',
  'instance-network-interface',
  'affinity-group',
  'anti-affinity-group',
  'sled',
  'vpc',
  'vpc-subnet',
  'vpc-router',
  'router-route',
  'internet-gateway',
  'ip-pool',
  'floating-ip',
  'external-subnet',
  'disk',
  'image',
  'instance-snapshot',
  'instance-backup',
  'snapshot',
] as const
export type TaggedKind = (typeof taggedKinds)[number]

/** Kinds that belong to no silo. */
export const fleetTaggedKinds = ['silo', 'sled', 'ip-pool'] as const satisfies readonly TaggedKind[]
export const isFleetTagged = (kind: TaggedKind): boolean =>
  (fleetTaggedKinds as readonly TaggedKind[]).includes(kind)

export const tagLimits = {
  /** Of one object. */
  tags: 50,
  /** Characters. */
  key: 63,
  value: 256,
  /** Bytes of all keys and values of one object, each of whose changes is kept with all of its tags. */
  bytes: 8192,
  /** Objects that one request edits. */
  edits: 200,
  /** Objects whose tags one request reads. */
  ids: mostRead,
  /** Keys or values that are offered at a time. */
  counted: 100,
  /** Objects that a count reaches at most. */
  count: mostCounted,
} as const

export interface Tag {
  key: string
  value: string
}

/** Keys that begin so belong to the platform. */
export const reservedPrefix = 'gantry.'
export const isReserved = (key: string): boolean => key.startsWith(reservedPrefix)

const keyPattern = /^[a-z](?:[a-z0-9._-]*[a-z0-9])?$/
/** Without the anchors, as form fields take it. */
export const keySource = keyPattern.source.slice(1, -1)

/** What is wrong with the text of a key; which keys users may set is another question. */
export function tagKeyProblem(key: string): string | undefined {
  if (key === '') return 'a tag needs a key'
  if (isLonger(key, tagLimits.key)) return `the key of a tag may contain at most ${tagLimits.key} characters`
  if (!keyPattern.test(key))
    return 'the key of a tag must begin with a lower-case letter, continue with lower-case letters, digits, ".", "_" or "-", and end with a letter or a digit'
  return undefined
}

/** Control and format characters, line separators and halves of characters, none of which people see. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

/** What is wrong with a value; an empty one is allowed. */
export function tagValueProblem(value: string): string | undefined {
  if (isLonger(value, tagLimits.value))
    return `the value of a tag may contain at most ${tagLimits.value} characters`
  if (unseen.test(value))
    return 'the value of a tag must not contain control characters or invisible characters'
  if (value.trim() !== value) return 'the value of a tag must not begin or end with a space'
  return undefined
}

const bytesOf = (tags: readonly Tag[]): number =>
  tags.reduce((sum, { key, value }) => sum + new TextEncoder().encode(key + value).length, 0)

/** What is wrong with a list of tags besides its keys and values. */
export function tagsProblem(tags: readonly Tag[]): string | undefined {
  if (tags.length > tagLimits.tags)
    return `an object may have at most ${tagLimits.tags} tags, and these are ${tags.length}`
  const keys = new Set<string>()
  for (const { key } of tags) {
    if (keys.has(key)) return `the key "${key}" is given twice`
    keys.add(key)
  }
  const bytes = bytesOf(tags)
  if (bytes > tagLimits.bytes)
    return `the tags of an object may take ${tagLimits.bytes} bytes together, and these take ${bytes}`
  return undefined
}

/** In the order of their keys, which is the same everywhere. */
export const inOrder = <T extends { key: string }>(tags: readonly T[]): T[] =>
  tags.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
