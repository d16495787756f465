import type { ErrorCode } from '../base/errors.rules.ts'

/** A JSON Schema, of a component or within one. */
export type Schema = Readonly<Record<string, unknown>>
type Value = Record<string, unknown>

/**
 * How one type of the description changed with a version: what it was before, how a value of the newer shape in an answer
 * becomes one of the older, and how one of the older shape in a request becomes one of the newer. Types within it are
 * already translated. All are pure; `down` may throw `Untranslatable`, and `up` `Inexpressible`. What `up` cannot read
 * it leaves as it is: the newest schema refuses it.
 */
export interface TypeChange {
  schema: (newer: Schema) => Schema
  down?: (newer: Value) => unknown
  up?: (older: Value) => unknown
}

/** A change of the API with a version of its own. */
export interface Dated {
  version: number
  /** By the name of the component. */
  types: Readonly<Record<string, TypeChange>>
}

/** What a client of the version cannot be told. */
export class Untranslatable extends Error {
  constructor(
    readonly status: 400 | 406,
    readonly code: ErrorCode | undefined,
    message: string,
  ) {
    super(message)
  }
}

/** What a request of the version asks for and the newer one has no form for. */
export class Inexpressible extends Error {
  constructor(
    message: string,
    readonly help: string,
  ) {
    super(message)
  }
}

interface ObjectSchema {
  properties: Record<string, Schema>
  required?: readonly string[]
}

export const partsOf = (schema: Schema): ObjectSchema => schema as unknown as ObjectSchema

/** The shape with fields taken off and put on; those of `added` are required unless they are in `optional`. */
export function reshaped(
  schema: Schema,
  removed: readonly string[],
  added: Readonly<Record<string, Schema>> = {},
  optional: readonly string[] = [],
): Schema {
  const { properties, required: before = [] } = partsOf(schema)
  // One that only has another shape stays where it was.
  const kept = Object.entries(properties).filter(([name]) => !removed.includes(name) || name in added)
  const required = [
    ...before.filter((name) => !removed.includes(name)),
    ...Object.keys(added).filter((name) => !optional.includes(name)),
  ]
  const { required: _, ...rest } = schema
  return {
    ...rest,
    properties: { ...Object.fromEntries(kept), ...added },
    ...(required.length > 0 && { required }),
  }
}

export function omitted(value: Value, names: readonly string[]): Value {
  const rest = { ...value }
  for (const name of names) delete rest[name]
  return rest
}

/** The variants of a union, each replaced by what `change` makes of it. */
export const variants = (
  schema: Schema,
  change: (variant: Schema, type: unknown) => readonly Schema[],
): Schema => ({
  ...schema,
  oneOf: (schema['oneOf'] as readonly Schema[]).flatMap((one) =>
    change(one, partsOf(one).properties['type']?.['const']),
  ),
})

/** Fields that the older shape lacks: answers drop them, and requests get their defaults by the newest schema. */
export const without = (...names: string[]): TypeChange => ({
  schema: (newer) => reshaped(newer, names),
  down: (newer) => omitted(newer, names),
})

/** An enumeration that had other names. `down` says what a newer name was, or throws `Untranslatable`. */
export const enumeration = (
  older: readonly string[],
  down: (name: string) => string = (name) => name,
): TypeChange => ({
  schema: () => ({ type: 'string', enum: older }),
  // An enumeration is text, which no field tells of.
  down: (name) => down(name as unknown as string),
})

/** Values of an enumeration that descriptions lacked, while answers have them in every version. */
export const undescribed = (...names: string[]): TypeChange => ({
  schema: (newer) => ({
    ...newer,
    enum: (newer['enum'] as readonly string[]).filter((name) => !names.includes(name)),
  }),
})

export const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Schemas by hand, as the contract writes them. */
export const ref = (component: string): Schema => ({ $ref: `#/components/schemas/${component}` })
export const string: Schema = { type: 'string' }
/** An address that a request gives. */
export const address: Schema = { type: 'string', maxLength: 64, format: 'ip' }
export const arrayOf = (items: Schema): Schema => ({ type: 'array', items })
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
export const object = (
  properties: Readonly<Record<string, Schema>>,
  optionals: readonly string[] = [],
): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optionals.includes(name)),
})
