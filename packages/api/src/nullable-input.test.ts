import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Operation } from './op.ts'
import { type OpName, ops } from './registry.ts'

/** Fields of a body that accept null and yet are required: clients that omit empty fields would be refused. */
function nullsToGive(schema: unknown, path: string): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return nullsToGive(schema.unwrap(), path)
  if (schema instanceof z.ZodPipe) return nullsToGive(schema.in, path)
  if (schema instanceof z.ZodArray) return nullsToGive(schema.element, `${path}[]`)
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option, index) => nullsToGive(option, `${path}|${index}`))
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries<z.ZodType>(schema.shape).flatMap(([key, field]) => [
    ...(field.safeParse(null).success && !field.safeParse(undefined).success ? [`${path}.${key}`] : []),
    ...nullsToGive(field, `${path}.${key}`),
  ])
}

test('an absent field is null, except where the reference wants it given', () => {
  const found = (Object.keys(ops) as OpName[]).flatMap((name) => {
    const { body }: Operation = ops[name]
    return body ? nullsToGive(body, name) : []
  })
  expect(found).toEqual(['authSettingsUpdate.device_token_max_ttl_seconds'])
})

test('the search finds such a field inside a union', () => {
  const icmp = z.object({ type: z.literal('icmp'), value: z.string().nullable() })
  const schema = z.object({ protocols: z.array(z.union([z.object({ type: z.literal('tcp') }), icmp])) })
  expect(nullsToGive(schema, 'body')).toEqual(['body.protocols[]|1.value'])
})
