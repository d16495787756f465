import description from '@gantry/api/openapi.ext.json'

/** What is read of a JSON Schema. */
export interface Schema {
  $ref?: string
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
}

/** How an option's text becomes a value. */
export interface FieldType {
  type: 'text' | 'number' | 'bytes' | 'boolean' | 'list' | 'json'
  isNullable: boolean
  /** The only values that it can have. */
  choices: readonly string[]
  /** The type of a list's items. */
  item?: FieldType
  description?: string
}

const schemas = description.components.schemas as unknown as Record<string, Schema>
const bytesRef = '#/components/schemas/ByteCount'

export function resolved(schema: Schema | undefined): Schema | undefined {
  let found = schema
  while (found?.$ref !== undefined) found = schemas[found.$ref.split('/').at(-1) ?? '']
  return found
}

/** The properties of an object, with whether each is required. */
export function propertiesOf(schema: Schema | undefined): [string, Schema, boolean][] {
  const { properties = {}, required = [] } = resolved(schema) ?? {}
  return Object.entries(properties).map(([name, property]) => [name, property, required.includes(name)])
}

/** Whether a number counts bytes, which people write with a unit. */
export const isBytes = (schema: Schema | undefined): boolean =>
  alternatives(schema).some(({ $ref }) => $ref === bytesRef)

export function typeOf(schema: Schema): FieldType {
  const all = alternatives(schema)
  const given = all.map((one) => resolved(one) ?? {}).filter(({ type }) => type !== 'null')
  const isNullable = given.length < all.length
  const types = new Set(given.map((one) => one.type ?? typeOfChoices(one)))
  const [type] = types
  const description = schema.description ?? resolved(schema)?.description
  const common = { isNullable, choices: [], ...(description !== undefined && { description }) }
  if (types.size !== 1) return { ...common, type: 'json' }
  if (type === 'string') return { ...common, type: 'text', choices: choicesOf(given) }
  if (type === 'integer' || type === 'number')
    return { ...common, type: isBytes(schema) ? 'bytes' : 'number' }
  if (type === 'boolean') return { ...common, type: 'boolean' }
  const [list] = given
  const item = type === 'array' && list?.items ? typeOf(list.items) : undefined
  if (item && item.type !== 'json' && item.type !== 'list') return { ...common, type: 'list', item }
  return { ...common, type: 'json' }
}

function alternatives(schema: Schema | undefined): Schema[] {
  if (!schema) return []
  const { $ref } = schema
  // A reference to bytes is how they are told from other numbers.
  if ($ref === bytesRef) return [schema]
  const { anyOf, oneOf } = $ref === undefined ? schema : (resolved(schema) ?? {})
  const among = anyOf ?? oneOf
  return among ? among.flatMap(alternatives) : [schema]
}

const typeOfChoices = ({ enum: choices = [], const: only }: Schema): string | undefined => {
  const value = choices[0] ?? only
  return value === undefined ? undefined : typeof value
}

/** Empty if any other text is valid, too. */
function choicesOf(given: readonly Schema[]): string[] {
  const all = given.flatMap(({ enum: choices, const: only }) => choices ?? (only === undefined ? [] : [only]))
  return given.every((one) => one.enum ?? one.const) ? all.map(String) : []
}
