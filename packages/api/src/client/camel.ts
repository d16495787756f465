/** `time_created` to `timeCreated`, in types. */
type CamelKey<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelKey<Tail>>}` : Key

type TimeKey = `time_${string}` | `${string}_time` | `${string}_expiration` | 'timestamp' | 'time'
type Dated<Key, Value> = Key extends TimeKey ? (Value extends string ? Date : Value) : Value

/** A wire type as the console sees it: camelCase keys, dates for time-like strings, records untouched. */
export type Camel<T> = T extends Date
  ? T
  : T extends readonly (infer Item)[]
    ? Camel<Item>[]
    : T extends object
      ? string extends keyof T
        ? { [Key in keyof T]: Camel<T[Key]> }
        : { [Key in keyof T as CamelKey<Key>]: Camel<Dated<Key, T[Key]>> }
      : T

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const timeLike = /^time_|_time$|_expiration$|^timestamp$|^time$/

export const camelKey = (key: string): string =>
  key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
export const snakeKey = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function reviveTime(key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !timeLike.test(key) || !isoTime.test(value)) return value
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : date
}

/** `records` names the properties whose keys are data, so nothing below them is renamed. */
export function fromWire(value: unknown, records: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => fromWire(item, records))
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  const out: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    out[camelKey(key)] = records.has(key) ? inner : fromWire(reviveTime(key, inner), records)
  }
  return out
}

export function toWire(value: unknown, records: ReadonlySet<string>): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((item) => toWire(item, records))
  if (value === null || typeof value !== 'object') return value
  const out: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const wire = snakeKey(key)
    out[wire] = records.has(wire) ? inner : toWire(inner, records)
  }
  return out
}
