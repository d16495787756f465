import type { ColumnType, Generated } from 'kysely'

/** Read as a value, written as JSON text: the two drivers differ in everything else. */
export type Json<T> = ColumnType<T, string, string>
export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
export type Defaulted<T> = ColumnType<T, T | undefined, T>

/** Why an object is not to be deleted or stopped, and who said so (`change/protection.ts`). */
export interface StoredProtection {
  no_delete: boolean
  no_stop: boolean
  reason: string
  user_id: string
  time: string
}
/** Columns of every user-visible object, which has history, a generation and a soft delete. */
export interface Tracked {
  id: string
  /** Raised by one at every change; sent as the ETag. */
  generation: Generated<number>
  time_created: Date
  time_modified: Date
  time_deleted: Defaulted<Date | null>
}
export interface Named extends Tracked {
  name: string
  description: string
}
/** Objects that users can tag. */
export interface Taggable extends Named {
  /** By their keys; null for none (`change/tags.ts`). */
  tags: JsonOrNull<StoredTags>
}
export type StoredTags = Readonly<Record<string, string>>
/** Objects that users can protect. */
export interface Protectable extends Taggable {
  protection: JsonOrNull<StoredProtection>
}
