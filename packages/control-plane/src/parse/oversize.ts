import { maxLengthOf } from '@gantry/api/bounds'
import { z } from 'zod'
import { type Breath, breather } from '../context/pauses.ts'

type Path = (string | number)[]

/** Lists with fewer items, those of the lists in them included, are left to the validator. */
const fewItems = 32

/**
 * Reads the long lists of a value, item by item, and lets others work in between: a validator reads every item at once,
 * and collects every issue before it checks a length, so a megabyte of empty objects costs seconds. Returns the first
 * problem, or what is left for the validator. `charge` is told how many items the lists have before any is read.
 */
export async function readLists(
  schema: z.ZodType,
  value: unknown,
  charge?: (items: number) => void,
  breath: Breath = breather(),
): Promise<ListProblem | Rest> {
  const long = tooLong(schema, value, [])
  if (long) return long
  charge?.(itemsIn(value))
  return readLong(schema, value, [], breath)
}

/** The items of all lists of a value. */
export function itemsIn(value: unknown): number {
  let items = 0
  const left = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one !== 'object' || one === null) continue
    const parts: unknown[] = Array.isArray(one) ? one : Object.values(one)
    if (Array.isArray(one)) items += one.length
    for (const part of parts) left.push(part)
  }
  return items
}

export type ListProblem =
  | { kind: 'too long'; path: Path; maximum: number; error: string | undefined }
  | { kind: 'bad item'; path: Path; issues: z.core.$ZodIssue[] }

/** A value whose long lists are read already, and a schema that takes them as they are. */
interface Rest {
  kind: 'rest'
  schema: z.ZodType
  value: unknown
}

function tooLong(schema: z.ZodType, value: unknown, path: Path): ListProblem | undefined {
  const inner = unwrapped(schema)
  if (Array.isArray(value) && inner instanceof z.ZodArray) {
    const check = maxLengthOf(inner)
    if (check && value.length > check.maximum)
      return {
        kind: 'too long',
        path,
        maximum: check.maximum,
        error: check.error && wordsOf(inner, value),
      }
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, part, partSchema] of partsOf(inner, value)) {
    const found = tooLong(partSchema, part, [...path, key])
    if (found) return found
  }
  return undefined
}

async function readLong(
  schema: z.ZodType,
  value: unknown,
  path: Path,
  breath: Breath,
): Promise<ListProblem | Rest> {
  const inner = unwrapped(schema)
  if (Array.isArray(value) && inner instanceof z.ZodArray)
    return readItems(schema, inner, value, path, breath)
  const rest: Rest = { kind: 'rest', schema, value }
  if (typeof value !== 'object' || value === null) return rest
  const shape: Record<string, z.ZodType> = {}
  const parts: Record<string, unknown> = {}
  for (const [key, part, partSchema] of partsOf(inner, value)) {
    const read = await readLong(partSchema, part, [...path, key], breath)
    if (read.kind !== 'rest') return read
    if (read.value === part) continue
    shape[key] = read.schema
    parts[key] = read.value
  }
  // Which alternative of a union applies is left to the validator, with the lists as they came.
  if (!(inner instanceof z.ZodObject) || Object.keys(parts).length === 0) return rest
  const read = new z.ZodObject({ ...inner.def, shape: { ...inner.shape, ...shape } })
  return { kind: 'rest', schema: rewrapped(schema, read), value: { ...value, ...parts } }
}

async function readItems(
  schema: z.ZodType,
  list: z.ZodArray,
  value: readonly unknown[],
  path: Path,
  breath: Breath,
): Promise<ListProblem | Rest> {
  if (value.length <= fewItems && itemsIn(value) <= fewItems) return { kind: 'rest', schema, value }
  const items: unknown[] = []
  for (const item of value) {
    const { error, data } = z.safeParse(list.element, item)
    if (error) return { kind: 'bad item', path: [...path, items.length], issues: error.issues }
    items.push(data)
    await breath()
  }
  const taken = new z.ZodArray({ ...list.def, element: z.unknown() })
  return { kind: 'rest', schema: rewrapped(schema, taken), value: items }
}

/** The same wrappers around another schema. */
function rewrapped(schema: z.ZodType, inner: z.ZodType): z.ZodType {
  const around = (wrapped: unknown): z.ZodType => rewrapped(wrapped as z.ZodType, inner)
  if (schema instanceof z.ZodOptional)
    return new z.ZodOptional({ ...schema.def, innerType: around(schema.unwrap()) })
  if (schema instanceof z.ZodNullable)
    return new z.ZodNullable({ ...schema.def, innerType: around(schema.unwrap()) })
  if (schema instanceof z.ZodDefault)
    return new z.ZodDefault({ ...schema.def, innerType: around(schema.unwrap()) })
  if (schema instanceof z.ZodPipe) return new z.ZodPipe({ ...schema.def, in: around(schema.in) })
  return inner
}

function* partsOf(schema: z.ZodType, value: object): Generator<[string | number, unknown, z.ZodType]> {
  if (schema instanceof z.ZodObject) {
    for (const [key, field] of Object.entries<z.ZodType>(schema.shape))
      if (Object.hasOwn(value, key)) yield [key, (value as Record<string, unknown>)[key], field]
  } else if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const element = schema.element as z.ZodType
    if (holdsLists(element)) for (const [index, item] of value.entries()) yield [index, item, element]
  } else if (schema instanceof z.ZodUnion) {
    // Alternatives are objects with different fields; the matching one defines the lists.
    for (const option of schema.options as z.ZodType[]) yield* partsOf(unwrapped(option), value)
  }
}

function unwrapped(schema: z.ZodType): z.ZodType {
  let inner = schema
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPipe
  )
    inner = (inner instanceof z.ZodPipe ? inner.in : inner.unwrap()) as z.ZodType
  return inner
}

const known = new WeakMap<z.ZodType, boolean>()

/** Whether a schema contains a list, so that items without one are skipped. */
function holdsLists(schema: z.ZodType): boolean {
  const inner = unwrapped(schema)
  const before = known.get(inner)
  if (before !== undefined) return before
  const holds =
    inner instanceof z.ZodArray ||
    (inner instanceof z.ZodObject && Object.values<z.ZodType>(inner.shape).some(holdsLists)) ||
    (inner instanceof z.ZodUnion && (inner.options as z.ZodType[]).some(holdsLists))
  known.set(inner, holds)
  return holds
}

/** The contract's message for a longer list. Without item checks, only the length is validated. */
const wordsOf = (list: z.ZodArray, value: unknown[]): string | undefined =>
  new z.ZodArray({ ...list.def, element: z.unknown() })
    .safeParse(value)
    .error?.issues.find(({ code }) => code === 'too_big')?.message
