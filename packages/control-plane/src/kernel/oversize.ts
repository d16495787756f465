import { maxLengthOf } from '@gantry/api/bounds'
import { z } from 'zod'

type Path = (string | number)[]

/** Shorter lists are left to the validator. */
const fewItems = 32

/**
 * The first problem with the lists of a value: one with more items than its schema allows, or the first bad
 * item of a long one. `charge` is told how many items the lists have before they are validated. A validator reads every item and collects every issue before it checks a length, so a
 * megabyte of empty objects costs seconds; this check runs first and stops at the first problem.
 */
export function listProblem(
  schema: z.ZodType,
  value: unknown,
  charge?: (items: number) => void,
): ListProblem | undefined {
  const long = tooLong(schema, value, [])
  if (long) return long
  charge?.(itemsIn(value))
  return badItem(schema, value, [])
}

/** The items of all lists of a value. */
function itemsIn(value: unknown): number {
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
  return firstOf(inner, value, path, tooLong)
}

function badItem(schema: z.ZodType, value: unknown, path: Path): ListProblem | undefined {
  const inner = unwrapped(schema)
  if (!Array.isArray(value) || !(inner instanceof z.ZodArray) || value.length <= fewItems)
    return firstOf(inner, value, path, badItem)
  for (const [index, item] of value.entries()) {
    const { error } = z.safeParse(inner.element, item)
    if (error) return { kind: 'bad item', path: [...path, index], issues: error.issues }
  }
  return undefined
}

/** Checks the parts of a value, each with its schema. */
function firstOf(
  schema: z.ZodType,
  value: unknown,
  path: Path,
  look: (schema: z.ZodType, value: unknown, path: Path) => ListProblem | undefined,
): ListProblem | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, part, partSchema] of partsOf(schema, value)) {
    const found = look(partSchema, part, [...path, key])
    if (found) return found
  }
  return undefined
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
