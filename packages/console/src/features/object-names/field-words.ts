import type { OutputOf } from '@gantry/api/client/client'
import { isUuid } from '@gantry/api/base/name.rules'
import { truncate } from '#/ui/data/format.ts'

/** Names by the ids that fields of timeseries hold, for objects that the user may see. */
export type ObjectNames = ReadonlyMap<string, string>

/** A field of a timeseries. */
export interface Field {
  name: string
  value: string
}

export const isId = ({ value }: Field): boolean => isUuid(value)

/** Enough to tell ids apart. */
const shortId = (id: string): string => truncate(id, 12, 'middle')

/** `instance=web-1`, or the shortened id of an object without a known name. */
export function fieldWords({ name, value }: Field, names: ObjectNames): string {
  const known = names.get(value)
  if (known !== undefined) return `${name.replace(/_id$/, '')}=${known}`
  return `${name}=${isId({ name, value }) ? shortId(value) : value}`
}

/** The field as the query language writes it. */
export const wholeField = ({ name, value }: Field): string => `${name}=${value}`

/** Objects of one kind can have the same name, in several projects: those keep a part of their ids. */
export function objectNames(items: OutputOf<'objectNames'>['items']): ObjectNames {
  const keyOf = ({ kind, name }: (typeof items)[number]) => `${kind} ${name}`
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return new Map(
    items.map((item) => {
      const isOnly = counts.get(keyOf(item)) === 1
      return [item.id, isOnly ? item.name : `${item.name}(${shortId(item.id)})`]
    }),
  )
}
