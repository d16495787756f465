import { maxLengthOf } from '@gantry/api/bounds'
import { z } from 'zod'

type Path = (string | number)[]

/** Items that a list may have before they are checked one by one. */
const fewItems = 32

/**
 * The first thing wrong with the lists of a value: one with more items than its schema takes, or the first bad item of
 * a long one. A validator reads every item and collects every issue before it looks at a length, which makes a megabyte
 * of empty objects cost seconds; asked first, this ends at the first problem.
 */
export function listProblem(schema: z.ZodType, value: unknown): ListProblem | undefined {
  return tooLong(schema, value, []) ?? badItem(schema, value, [])
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
        error: wordsOf(check, value),
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

/** Looks into the parts of a value, with the schema of each. */
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
    // Alternatives are objects with fields of their own; the one that is meant knows its lists.
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

/** Whether there is a list anywhere in it, so that items without any are not walked through. */
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

/** What the contract says of a longer list, where it has words of its own. */
function wordsOf({ error, maximum }: z.core.$ZodCheckMaxLengthDef, input: unknown[]): string | undefined {
  const said = error?.({ code: 'too_big', origin: 'array', maximum, input } as never)
  return typeof said === 'string' ? said : said?.message
}
