import { components, Uuid } from '@gantry/api/schema'
import type { z } from 'zod'

/** The parts of a schema's definition that are walked. */
interface Definition {
  type: string
  innerType?: z.ZodType
  in?: z.ZodType
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  options?: readonly z.ZodType[]
  entries?: Record<string, unknown>
  values?: readonly unknown[]
}
const definitionOf = (schema: z.ZodType): Definition => schema.def

export type Reference = 'Uuid' | 'Name' | 'NameOrId'

/** The reference schema in a field, unwrapped from optional and nullable. */
export function referenceOf(schema: z.ZodType): Reference | undefined {
  const { innerType } = definitionOf(schema)
  if (innerType) return referenceOf(innerType)
  const name = schema === Uuid ? 'Uuid' : components.get(schema)
  return name === 'Uuid' || name === 'Name' || name === 'NameOrId' ? name : undefined
}

/** Values for formats that a plain text does not satisfy. */
const texts: Record<string, string> = {
  ipv4_block: '172.30.0.0/22',
  subnet: '172.30.0.0/22',
  address: '10.0.0.1',
  first: '10.0.0.1',
  last: '10.0.0.9',
  value: '10.0.0.1',
  public_key: 'k',
  url: 'https://images.test/disk.raw',
}

/**
 * The smallest body that the schema accepts: optional fields are omitted, and the first alternative is used.
 */
export function sampleOf(schema: z.ZodType, key = ''): unknown {
  const { type, shape, options, entries, values, element } = definitionOf(schema)
  const inner = definitionOf(schema).innerType ?? definitionOf(schema).in
  const reference = referenceOf(schema)
  if (reference) return reference === 'Uuid' ? crypto.randomUUID() : 'sample'
  if (shape)
    return Object.fromEntries(
      Object.entries(shape)
        .filter(([, field]) => !field.safeParse(undefined).success)
        .map(([name, field]) => [name, sampleOf(field, name)]),
    )
  if (options?.[0]) return sampleOf(options[0], key)
  if (entries) return Object.values(entries)[0]
  if (values) return values[0]
  if (inner) return sampleOf(inner, key)
  if (type === 'array' && element)
    return [[], [sampleOf(element)]].find((list) => schema.safeParse(list).success)
  if (type === 'boolean') return false
  if (type === 'number') return [1, 512, 2 ** 30].find((number) => schema.safeParse(number).success)
  return texts[key] ?? 'sample'
}

/**
 * Every path in a body that may name an object: `disks[].disk_source.image_id`. A `name` is the new object's
 * own.
 */
export function referencesIn(schema: z.ZodType, at = ''): string[] {
  if (referenceOf(schema)) return at.split('.').at(-1) === 'name' ? [] : [at]
  const { shape, options, element, innerType, in: source } = definitionOf(schema)
  const inner = innerType ?? source
  if (shape)
    return Object.entries(shape).flatMap(([key, field]) => referencesIn(field, at ? `${at}.${key}` : key))
  if (options) return [...new Set(options.flatMap((option) => referencesIn(option, at)))]
  if (element) return referencesIn(element, `${at}[]`)
  return inner ? referencesIn(inner, at) : []
}
