/**
 * How the values of a field are read. A `relation` is another object, by name or id; a `flag` is yes or no.
 */
export type FieldType =
  | 'text'
  | 'id'
  | 'choice'
  | 'number'
  | 'bytes'
  | 'time'
  | 'relation'
  | 'address'
  | 'mac'
  | 'flag'
  | 'tag'

export interface FilterField {
  type: FieldType
  /** What it is, on screen. */
  label: string
  /** A term with it, which messages show. */
  example: string
  /** The values of a choice. */
  values?: readonly string[]
  /** Objects can lack it, and `none` finds those. */
  canLack?: true
  /** Lists can be in its order: the name of its sort modes, without their direction. */
  sortsAs?: string
  /** Its values are suggested, with how many objects have them. */
  isSuggested?: true
  /** Only fleet viewers may ask for it. */
  ofFleet?: true
}

export const field = (
  type: FieldType,
  label: string,
  example: string,
  more: Partial<FilterField> = {},
): FilterField => ({
  type,
  label,
  example,
  ...more,
})
export const suggested = { isSuggested: true } as const

export const state = (values: readonly string[], example: string): FilterField =>
  field('choice', 'State', example, { values, sortsAs: 'state', ...suggested })

/** Fields that several kinds have. */
export const common = {
  project: field('relation', 'Project', 'project:web*', suggested),
  protected: field('flag', 'Protected', 'protected:yes'),
  size: field('bytes', 'Size', 'size>=10GiB', { sortsAs: 'size' }),
  changed: field('time', 'State changed', 'changed<1h', { sortsAs: 'time_run_state_updated' }),
  cpu: field('number', 'vCPUs', 'cpu:2..8', { sortsAs: 'ncpus', ...suggested }),
  memory: field('bytes', 'Memory', 'memory>=8GiB', { sortsAs: 'memory', ...suggested }),
  attached: field('relation', 'Attached to', 'instance:web*', { canLack: true, ...suggested }),
  ofSnapshot: field('relation', 'Made from snapshot', 'snapshot:nightly*', { canLack: true }),
} as const

/** Fields of every object with a name and a description. */
export const described = {
  name: field('text', 'Name', 'name:web*', { sortsAs: 'name' }),
  id: field('id', 'ID', 'id:7c9e6679'),
  description: field('text', 'Description', 'description:*billing*'),
  created: field('time', 'Created', 'created<7d', { sortsAs: 'time_created' }),
} as const
/** Fields of those that can also have tags. */
export const identity = {
  ...described,
  tag: field('tag', 'Tag', 'tag:env=prod', { canLack: true, ...suggested }),
} as const
