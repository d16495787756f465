import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { maxLengthOf } from './bounds.ts'
import type { Operation } from './op.ts'
import { type OpName, ops } from './registry.ts'

/** Paths at which a request schema accepts a text or a list of any length. */
function unbounded(schema: unknown, path: string): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unbounded(schema.unwrap(), path)
  if (schema instanceof z.ZodPipe) return unbounded(schema.in, path)
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, field]) => unbounded(field, `${path}.${key}`))
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option, index) => unbounded(option, `${path}|${index}`))
  if (schema instanceof z.ZodArray)
    return [...(maxLengthOf(schema) === undefined ? [path] : []), ...unbounded(schema.element, `${path}[]`)]
  // The contract lists a record's keys; all others are dropped unread.
  if (schema instanceof z.ZodRecord)
    return [
      ...(schema.keyType instanceof z.ZodEnum ? [] : [path]),
      ...unbounded(schema.valueType, `${path}{}`),
    ]
  if (schema instanceof z.ZodString || schema instanceof z.ZodISODateTime)
    return maxLengthOf(schema) === undefined ? [path] : []
  if (isSmall(schema)) return []
  return [`${path}: ${(schema as z.ZodType).constructor.name} is not known to this test`]
}

const small = [z.ZodEnum, z.ZodLiteral, z.ZodNumber, z.ZodBoolean, z.ZodTransform, z.ZodNever]
const isSmall = (schema: unknown): boolean => small.some((kind) => schema instanceof kind)
const all = Object.keys(ops) as OpName[]

describe('requests are limited in size', () => {
  test.each(all)('%s', (name) => {
    const op: Operation = ops[name]
    const { pathParams, query, body } = op
    expect([
      ...unbounded(pathParams, 'path'),
      ...unbounded(query, 'query'),
      // A document of another specification has no schema here: its service reads it, and its size bounds it.
      ...(body instanceof z.ZodUnknown
        ? [op.bodyMax].filter((max) => max > 64 * 1024)
        : body
          ? unbounded(body, 'body')
          : []),
    ]).toEqual([])
  })

  test('the search for unbounded fields finds them', () => {
    const schema = z.object({
      list: z.array(z.string()).optional(),
      text: z.string().max(3),
      any: z.unknown(),
    })
    expect(unbounded(schema, 'body')).toEqual([
      'body.list',
      'body.list[]',
      'body.any: ZodUnknown is not known to this test',
    ])
  })

  test('an anonymous caller may send no more than a few kilobytes', () => {
    const anonymous = all.filter((name) => ops[name].anonymous && ops[name].body)
    expect(anonymous.length).toBeGreaterThan(0)
    for (const name of anonymous) expect(ops[name].bodyMax, name).toBeLessThanOrEqual(16 * 1024)
  })
})
