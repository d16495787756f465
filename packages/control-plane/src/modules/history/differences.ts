import type { ActivityChange, ActivityDifference } from '@gantry/api/history/activity'
import { type ActivityAction, tagField } from '@gantry/api/history/activity.rules'
import { isUuid } from '@gantry/api/base/name.rules'
import type { Row } from '../../db/tables.ts'
import { tagsIn } from '../tags/stored.ts'
import { readableFields } from '../audit/readable-fields.ts'
import type { Member } from './member.ts'
import type { Told } from './merged.ts'

type Contents = Row<'change'>['before']
type Names = ReadonlyMap<string, string>

/** Columns that people neither gave nor see: identity, accounting, and what the platform remembers for itself. */
const untold: ReadonlySet<string> = new Set([
  'id',
  'generation',
  'silo_id',
  'content_id',
  'converted_content_id',
  'converted_charge',
  'percent_converted',
  'failure',
  'intended_state',
  'is_interrupted',
  'vmm_id',
  'has_interfaces',
  'slot',
  'vni',
  'folded_name',
  'first_key',
  'last_key',
  'ipv4_first',
  'ipv4_last',
  'first_port',
  'last_port',
  'free_macs_from',
  'free_ips_from',
  'free_addresses_from',
  'free_ports_from',
  'system_router_id',
  'ip_pool_id',
])

const isTold = (column: string): boolean => !untold.has(column) && !column.startsWith('time_')

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The columns that differ and that people know, in the order of the row. */
export const toldColumns = (before: Contents, after: Contents): string[] =>
  Object.keys({ ...before, ...after }).filter(
    (column) => isTold(column) && !isEqual(before?.[column], after?.[column]),
  )

/** Actions that say all there is to say of an update: its fields are what they mean. */
const tellsByItself: ReadonlySet<ActivityAction> = new Set([
  'started',
  'stopped',
  'rebooted',
  'forced_off',
  'restarted',
  'failed',
  'attached',
  'detached',
  'ended',
])

export function changeView(member: Told, names: Names): ActivityChange {
  const { kind, object_id: id, before, after, told: action } = member
  return {
    kind,
    id,
    name: nameOf(member, names),
    action,
    other: otherOf(action, member, names),
    differences: before && after && showsFields(action) ? differences(before, after, names) : [],
  }
}

const showsFields = (action: ActivityAction): boolean => !tellsByItself.has(action)

/** Where a row belongs, and what it is called, is told beside its fields. */
const toldBeside: ReadonlySet<string> = new Set(['name', 'project_id'])

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every(isEmpty))

/** In a plan, what is created or deleted shows its fields, too: no page shows it yet, or any more. */
export function plannedView(member: Told, names: Names): ActivityChange {
  const view = changeView(member, names)
  const { before, after } = member
  if (before && after) return view
  const fields = (row: Contents) =>
    Object.fromEntries(
      Object.entries(row ?? {}).filter(([column, value]) => !toldBeside.has(column) && !isEmpty(value)),
    )
  return { ...view, differences: differences(fields(before), fields(after), names) }
}

/** The values in which `changeView` shows ids as names: of most changes none, however large their rows are. */
export function referencesIn({ before, after, told }: Told): unknown[] {
  const others = [before, after].flatMap((row) => [row?.['instance_id'], row?.['disk_id']])
  if (!before || !after || !showsFields(told)) return others
  return [...others, toldColumns(before, after).map((column) => [before[column], after[column]])]
}

/** What has no name of its own is called by its address, or by what a note of it names. */
function nameOf({ name, kind, before, after }: Member, names: Names): string | null {
  if (name !== null) return name
  const contents = after ?? before
  const text = contents?.name ?? contents?.ip ?? contents?.address ?? contents?.serial
  if (typeof text === 'string') return text
  return kind.endsWith('-member') ? (names.get(String(contents?.instance_id)) ?? null) : null
}

/** The instance that it was attached to or detached from, or the disk of a snapshot. */
function otherOf(action: ActivityAction, member: Member, names: Names): ActivityChange['other'] {
  const { kind, before, after } = member
  const column = kind === 'snapshot' ? 'disk_id' : 'instance_id'
  const contents = action === 'detached' ? before : after
  const tells = kind === 'snapshot' ? action === 'took' : action === 'attached' || action === 'detached'
  const id = tells ? contents?.[column] : undefined
  const name = typeof id === 'string' ? names.get(id) : undefined
  return typeof id === 'string' && name !== undefined ? { id, name } : null
}

export function differences(
  before: NonNullable<Contents>,
  after: NonNullable<Contents>,
  names: Names,
): ActivityDifference[] {
  const [was, is] = [readableFields(before), readableFields(after)]
  return toldColumns(was, is).flatMap((field) =>
    field === 'tags'
      ? tagDifferences(was.tags, is.tags)
      : [
          {
            field: field.replace(/_id$/, ''),
            before: shown(was[field], names),
            after: shown(is[field], names),
          },
        ],
  )
}

/** Each tag is a field of its own, whose value is the user's text: an id among them is no reference. */
function tagDifferences(before: unknown, after: unknown): ActivityDifference[] {
  const [was, is] = [tagsIn(before), tagsIn(after)]
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((key) => was.get(key) !== is.get(key))
    .sort()
    .map((key) => ({
      field: `${tagField}${key}`,
      before: was.get(key) ?? null,
      after: is.get(key) ?? null,
    }))
}

/** What people know of an object, by the names of its fields; without names of others, with their ids. */
export function fieldsOf(contents: Contents, names?: Names): Record<string, unknown> {
  const fields = Object.entries(readableFields(contents ?? {})).filter(([column]) => isTold(column))
  return Object.fromEntries(
    fields.map(([column, value]) => [
      column.replace(/_id$/, ''),
      names && column !== 'tags' ? shown(value, names) : value,
    ]),
  )
}

/** Each reference as the name of what it refers to; one that the reader may not see is nothing that they could read. */
export function shown(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return isUuid(value) ? (names.get(value) ?? null) : value
  if (Array.isArray(value)) return value.map((each) => shown(each, names))
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each, names)]))
}
