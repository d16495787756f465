import base from '@gantry/api/openapi.json' with { type: 'json' }
import { toldFields } from '@gantry/api/reference-document'

interface Schema {
  $ref?: string
  allOf?: Schema[]
  oneOf?: Schema[]
  type?: string
  enum?: unknown[]
  nullable?: boolean
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
}
type Responses = Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>

const schemas = base.components.schemas as unknown as Record<string, Schema>
const told = toldFields(base.info.description)

/**
 * How a JSON answer of a base operation differs from `/openapi.json`: members that it does not describe, and those of
 * another type. Empty for operations that are not in it.
 */
export function undescribed(op: { method: string; path: string }, status: number, body: unknown): string[] {
  const paths = base.paths as unknown as Record<string, Record<string, { responses: Responses }>>
  const responses = paths[op.path]?.[op.method.toLowerCase()]?.responses
  if (!responses) return []
  if (status >= 400) return differences({ $ref: '#/components/schemas/Error' }, body, 'error')
  const schema = responses[String(status)]?.content?.['application/json']?.schema
  if (schema) return differences(schema, body, '')
  return body === undefined ? [] : [`a body of status ${status}`]
}

function differences(schema: Schema, value: unknown, at: string): string[] {
  if (value === null && schema.nullable) return []
  if (schema.$ref) return ofComponent(schema.$ref.split('/').at(-1) ?? '', value, at)
  if (schema.allOf) return schema.allOf.flatMap((each) => differences(each, value, at))
  if (schema.oneOf) {
    const each = schema.oneOf.map((one) => differences(one, value, at))
    return each.toSorted((one, other) => one.length - other.length)[0] ?? []
  }
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${JSON.stringify(value)}`]
  if (schema.type === 'array')
    return Array.isArray(value)
      ? value.flatMap((item) => differences(schema.items ?? {}, item, `${at}[]`))
      : [`${at} is no list`]
  if (schema.type === 'object' || schema.properties) return ofObject(schema, value, at, [])
  const type = typeof value
  const wanted = schema.type === 'integer' ? 'number' : schema.type
  return wanted === undefined || wanted === type ? [] : [`${at} is a ${type}`]
}

function ofComponent(name: string, value: unknown, at: string): string[] {
  const schema = schemas[name]
  if (!schema) return [`${at} has no schema`]
  const own = told.get(name)
  return own ? ofObject(schema, value, at, own) : differences(schema, value, at)
}

function ofObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  value: unknown,
  at: string,
  own: readonly string[],
): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no object`]
  const missing = required.filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`)
  const members = Object.entries(value).flatMap(([name, member]) => {
    const schema = properties[name]
    if (schema) return differences(schema, member, `${at}.${name}`)
    if (typeof additionalProperties === 'object')
      return differences(additionalProperties, member, `${at}.${name}`)
    return additionalProperties === true || own.includes(name) ? [] : [`${at}.${name} is not described`]
  })
  return [...missing, ...members]
}
