import type { MadeChange } from '../../context/services.ts'
import { isBegunDeletion } from '../deletion/begun.ts'
import { isBegunRestoration } from '../recycle-bin/restorations/store.ts'

type Records = MadeChange['records']

/** Bookkeeping that follows other changes. */
const unimportant: ReadonlySet<string> = new Set([
  'utilization',
  'vpc-network',
  'protection',
  'recycled-item',
  'saved-plan',
  'tag',
])

/** What differs from one time to the next without any difference in what is done. */
const volatile: ReadonlySet<string> = new Set([
  'id',
  'generation',
  'content_id',
  'vni',
  'ipv6_prefix',
  'ipv6_block',
  'mac_int',
  'ip',
  'ip_int',
  'ip_key',
  'ipv6_offset',
  'first_port',
  'last_port',
  'free_macs_from',
  'free_ips_from',
  'vmm_id',
])
const matters = (column: string): boolean => !volatile.has(column) && !column.startsWith('time_')

/**
 * What changes do, in a form that is the same whenever they do the same: the columns that differ, before and after. What
 * is created has another id each time, and is called by its kind and name.
 */
export function effectsText(all: Records): string {
  const records = all.filter(({ kind }) => !unimportant.has(kind))
  const created = new Map(
    records.flatMap((record, position) => {
      const { op, kind, name, object_id } = record
      const isNew = op === 'create' || isBegunDeletion(record) || isBegunRestoration(record)
      return isNew ? [[object_id, `new ${kind} ${name ?? position}`] as const] : []
    }),
  )
  const lines = records.map(({ kind, op, object_id, before, after }) =>
    JSON.stringify([kind, op, object_id, differing(before, after)]),
  )
  return lines
    .map((line) =>
      line.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => created.get(id) ?? id),
    )
    .sort()
    .join('\n')
}

function differing(before: Records[number]['before'], after: Records[number]['after']): unknown {
  return Object.keys({ ...before, ...after })
    .filter(matters)
    .sort()
    .flatMap((column) => {
      const [was, is] = [before?.[column] ?? null, after?.[column] ?? null]
      return JSON.stringify(was) === JSON.stringify(is) ? [] : [[column, was, is]]
    })
}
