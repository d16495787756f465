import { maxLengthOf } from '@gantry/api/bounds'
import { KiB, MiB } from '@gantry/api/base/bytes.rules'
import type { Operation } from '@gantry/api/op'
import { sampleOf } from '@gantry/control-plane/testing/sample-body'
import { z } from 'zod'

/** A body with one oversized part, and its location. */
export interface TooMuch {
  what: string
  text: string
}

/** Nesting levels that would overflow recursive code. */
const levels = 100_000
/** A placeholder in a body for oversized text, because no value of that depth or size can be serialised. */
const mark = '\u2603'

type Part = [where: string, how: Write, body: unknown]
/** Writes the replacement of the placeholder, at most `bytes` long. */
type Write = (bytes: number) => string

const deep: Write = (bytes) => {
  const depth = Math.min(levels, Math.floor(bytes / 2))
  return '['.repeat(depth) + ']'.repeat(depth)
}
const deeper: Write = (bytes) => {
  const depth = Math.min(levels, Math.floor(bytes / 6))
  return '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
}
/** More than a list may have, also where that is larger than a body may be. */
const filledWith =
  (item: string, max: number): Write =>
  (bytes) => {
    const length = Math.max(max + 1, Math.floor(bytes / (item.length + 1)) - 1)
    return `[${Array.from({ length }, () => item).join()}]`
  }

/**
 * Every way in which a body of the operation can contain too much: at the limit of what is read, and by
 * megabytes.
 */
export function* tooMuchOf({ body, bodyMax, encoding }: Operation): Generator<TooMuch> {
  if (!body || encoding === 'bytes') return
  if (encoding === 'form') {
    for (const key of Object.keys((body as z.ZodObject).shape))
      for (const bytes of [bodyMax - KiB, MiB])
        yield { what: `${key}: text of ${bytes}`, text: `${key}=${'x'.repeat(bytes)}` }
    return
  }
  const parts: Part[] = [
    ['body: nested lists', deep, mark],
    ['body: nested objects', deeper, mark],
    ...partsOf(body, 'body'),
  ]
  for (const [where, write, bent] of parts) {
    const around = JSON.stringify(bent)
    const isMass = where.endsWith('many')
    for (const bytes of isMass ? [bodyMax, 4 * MiB] : [bodyMax, bodyMax + 3 * levels * 2]) {
      const text = around.replace(`"${mark}"`, write(bytes - around.length))
      yield { what: `${where}, ${text.length} bytes`, text }
      // It is smaller than the limit: no larger one would differ.
      if (!isMass && text.length < bytes - KiB) break
    }
  }
}

/** The smallest body, with one part after the other replaced. */
function* partsOf(given: z.ZodType, where: string): Generator<Part> {
  const schema = unwrapped(given)
  if (schema instanceof z.ZodObject)
    for (const [key, field] of Object.entries<z.ZodType>(schema.shape)) {
      const whole = sampleOf(schema) as object
      for (const [at, write, part] of [...nested(`${where}.${key}`), ...partsOf(field, `${where}.${key}`)])
        yield [at, write, { ...whole, [key]: part }]
    }
  if (schema instanceof z.ZodUnion)
    for (const [index, option] of (schema.options as z.ZodType[]).entries())
      yield* partsOf(option, `${where}|${index}`)
  const max = maxLengthOf(schema)?.maximum
  if (schema instanceof z.ZodString && max !== undefined)
    yield [`${where}: a text over ${max}`, () => JSON.stringify('x'.repeat(max + 1)), mark]
  if (schema instanceof z.ZodArray && max !== undefined) {
    const item = JSON.stringify(sampleOf(schema.element as z.ZodType))
    for (const one of new Set(['{}', '0', item])) yield [`${where}: ${one} many`, filledWith(one, max), mark]
    const longer = Array.from({ length: max + 1 }, () => item).join()
    yield [`${where}: a list over ${max}`, () => `[${longer}]`, mark]
    for (const [at, write, part] of partsOf(schema.element as z.ZodType, `${where}[]`))
      yield [at, write, [part]]
  }
}

const nested = (where: string): Part[] => [
  [`${where}: nested lists`, deep, mark],
  [`${where}: nested objects`, deeper, mark],
]

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapped(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodPipe ? unwrapped(schema.in as z.ZodType) : schema
}

/**
 * Oversized queries: each text one over its maximum, everything at once, and more than headers may contain.
 */
export function* longQueriesOf({ query }: Operation): Generator<string> {
  for (const [key, field] of Object.entries<z.ZodType>(query.shape)) {
    const max = maxLengthOf(unwrapped(field))?.maximum
    if (max !== undefined && max < 12 * KiB) yield `${key}=${'x'.repeat(max + 1)}`
    yield Array.from({ length: 1000 }, () => `${key}=1`).join('&')
  }
  yield `page_token=${Buffer.from('{'.repeat(8 * KiB)).toString('base64url')}`
  yield `page_token=${'x'.repeat(24 * KiB)}`
  yield `limit=${'9'.repeat(12 * KiB)}`
}
