import type { Row } from '../../db/tables.ts'

/** Where an entry is found: a change record that belongs to it, or a refused request. */
export interface Position {
  id: string
  time: Date
  /** Null for a refused request. */
  entry_id: string | null
}

/** A change that an entry tells of. */
export type Member = Pick<
  Row<'change'>,
  | 'id'
  | 'entry_id'
  | 'kind'
  | 'op'
  | 'object_id'
  | 'name'
  | 'silo_id'
  | 'project_id'
  | 'actor'
  | 'operation'
  | 'request_id'
  | 'time'
  | 'generation'
  | 'before'
  | 'after'
  | 'entry_place'
> & {
  /** Of its entry, with those that the caller may not see; 0 but for what the entry is about. */
  count: number
}

/** Columns of documents and secrets, which no difference shows. */
export const large = ['user_data', 'cert', 'metadata', 'public_cert', 'private_key']
