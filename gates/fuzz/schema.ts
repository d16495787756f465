import { isIP } from 'node:net'

/** The part of JSON Schema that the API description uses. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: Schema
  propertyNames?: Schema
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  default?: unknown
}

const known = new Set([
  '$ref',
  'title',
  'description',
  'x-gantry-extension',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
  'anyOf',
  'oneOf',
  'enum',
  'const',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'default',
])

const formats: Record<string, (text: string) => boolean> = {
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  'date-time': (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text),
  ip: (text) => isIP(text) !== 0,
}

/**
 * Validates values against the document's schemas. It shares no code with the server or with the document's
 * generator, and is stricter than JSON Schema in one respect: an undocumented field is an error.
 */
export class Checker {
  readonly #components: Record<string, Schema>
  constructor(components: Record<string, Schema>) {
    this.#components = components
  }

  resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema
    const found = this.#components[schema.$ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`${schema.$ref} is nowhere`)
    return this.resolve(found)
  }

  /** The problems of a value with their paths; empty if it is valid. */
  problems(given: Schema, value: unknown, at = '$'): string[] {
    const schema = this.resolve(given)
    const strange = Object.keys(schema).filter((keyword) => !known.has(keyword))
    if (strange.length > 0) throw new Error(`unknown keywords: ${strange.join(', ')}`)
    const { anyOf, oneOf } = schema
    if (anyOf) return this.#alternatives(anyOf, value, at, (matching) => matching > 0)
    if (oneOf) return this.#alternatives(oneOf, value, at, (matching) => matching === 1)
    if ('const' in schema && value !== schema.const) return [`${at} is not ${JSON.stringify(schema.const)}`]
    if (schema.enum && !schema.enum.includes(value)) return [`${at} is not one of ${schema.enum.join(', ')}`]
    if (schema.type !== undefined) {
      const types = [schema.type].flat()
      if (!types.some((type) => isOf(type, value))) return [`${at} is not ${types.join(' or ')}`]
    }
    if (typeof value === 'string') return textProblems(schema, value, at)
    if (typeof value === 'number') return numberProblems(schema, value, at)
    if (Array.isArray(value)) return this.#listProblems(schema, value, at)
    return typeof value === 'object' && value !== null ? this.#objectProblems(schema, value, at) : []
  }

  #alternatives(
    schemas: readonly Schema[],
    value: unknown,
    at: string,
    isGood: (matching: number) => boolean,
  ): string[] {
    const all = schemas.map((schema) => this.problems(schema, value, at))
    const matching = all.filter((problems) => problems.length === 0).length
    if (isGood(matching)) return []
    return matching > 1 ? [`${at} matches ${matching} alternatives`] : [`${at}: ${all.flat().join(' | ')}`]
  }

  #listProblems(
    { items, minItems = 0, maxItems = Infinity }: Schema,
    value: unknown[],
    at: string,
  ): string[] {
    if (value.length < minItems || value.length > maxItems) return [`${at} has ${value.length} items`]
    return items ? value.flatMap((item, index) => this.problems(items, item, `${at}[${index}]`)) : []
  }

  #objectProblems(schema: Schema, value: object, at: string): string[] {
    const { properties, required = [], additionalProperties, propertyNames } = schema
    // An unrestricted schema accepts anything.
    if (!properties && !additionalProperties) return []
    const missing = required.filter((key) => !(key in value)).map((key) => `${at}.${key} is missing`)
    const wrong = Object.entries(value).flatMap(([key, inner]) => {
      const described = properties?.[key] ?? additionalProperties
      if (!described) return [`${at}.${key} is not documented`]
      const names = propertyNames ? this.problems(propertyNames, key, `${at} key ${key}`) : []
      return [...names, ...this.problems(described, inner, `${at}.${key}`)]
    })
    return [...missing, ...wrong]
  }
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

function textProblems(
  { format, pattern, minLength = 0, maxLength = Infinity }: Schema,
  value: string,
  at: string,
): string[] {
  const isFormatted = format === undefined || (formats[format]?.(value) ?? true)
  const isGood =
    isFormatted &&
    (pattern === undefined || new RegExp(pattern).test(value)) &&
    value.length >= minLength &&
    value.length <= maxLength
  return isGood ? [] : [`${at} is ${JSON.stringify(value)}, no ${format ?? pattern ?? 'text of that length'}`]
}

function numberProblems({ minimum = -Infinity, maximum = Infinity }: Schema, value: number, at: string) {
  return value >= minimum && value <= maximum ? [] : [`${at} is ${value}, out of bounds`]
}
