import { expect, test } from 'vitest'
import { z } from 'zod'
import whole from '../../openapi.ext.json' with { type: 'json' }
import { Inexpressible, isObject, ref, type Schema, Untranslatable } from './dated.ts'
import { stepsFrom, Translator } from './translate.ts'

type Schemas = Readonly<Record<string, Schema>>
const newest = whole.components.schemas as unknown as Schemas
const translator = new Translator(newest)
const tries = 12

/** Numbers from 0 to 1, the same ones in every run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Texts of formats, which the schemas of other parts must be able to tell apart. */
const texts: Readonly<Record<string, readonly string[]>> = {
  ip: ['10.0.0.1', 'fd00::1'],
  ipv4: ['10.0.0.1'],
  ipv6: ['fd00::1'],
  uuid: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  'date-time': ['2026-01-01T00:00:00Z'],
}

/** Fields that no answer lacks, while documents leave them to choice. */
const always = new Set(['addr', 'interface_name', 'ipv4', 'ipv6'])

/** A value that a schema describes. */
function sampled(schema: Schema, schemas: Schemas, random: () => number, depth = 0): unknown {
  const {
    $ref,
    oneOf,
    anyOf,
    allOf,
    enum: options,
    properties,
    items,
    type,
    format,
    minimum,
    required,
  } = schema as Described
  const one = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)] as Item
  const within = (inner: Schema) => sampled(inner, schemas, random, depth + 1)
  if ($ref !== undefined) return within(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {})
  if ('const' in schema) return schema['const']
  if (options) return one(options)
  const union = oneOf ?? anyOf
  // What contains itself ends.
  if (union) return within(depth > 12 ? (union.at(-1) ?? {}) : one(union))
  if (allOf) return within(allOf[0] ?? {})
  if (properties) {
    const chosen = Object.entries(properties).filter(
      ([name]) => required?.includes(name) || always.has(name) || random() < 0.5,
    )
    return Object.fromEntries(chosen.map(([name, field]) => [name, within(field)]))
  }
  if (type === 'array') return depth < 8 && random() < 0.7 ? [within(items ?? {})] : []
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'boolean') return random() < 0.5
  if (type === 'null') return null
  if (type === 'object') return {}
  return type === 'string' ? one(texts[format ?? ''] ?? ['switch0']) : null
}
interface Described {
  $ref?: string
  oneOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  allOf?: readonly Schema[]
  enum?: readonly unknown[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  type?: string
  format?: string
  minimum?: number
}

/** A schema as one that allows no field which it does not name. */
function shapeOf(name: string, schemas: Schemas): z.ZodType {
  const parts = Object.fromEntries([...namesIn(ref(name), schemas)].map((part) => [part, schemas[part]]))
  const closed = JSON.stringify({ ...ref(name), $defs: parts }, (key, value: unknown) => {
    if ((key === 'format' || key === 'pattern') && typeof value === 'string') return undefined
    return isObject(value) && value['properties'] && value['additionalProperties'] === undefined
      ? { ...value, additionalProperties: false }
      : value
  })
  return z.fromJSONSchema(JSON.parse(closed.replaceAll('#/components/schemas/', '#/$defs/')))
}

/** What a translation makes of a value; undefined where the version has no words for it. */
function translated(translate: ((value: unknown) => unknown) | undefined, value: unknown): unknown {
  try {
    return translate ? translate(value) : value
  } catch (error) {
    if (error instanceof Untranslatable || error instanceof Inexpressible) return undefined
    throw error
  }
}

/** The names of the components that a schema is made of. */
function namesIn(schema: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    if (found.has(name) || !schemas[name]) continue
    found.add(name)
    namesIn(schemas[name], schemas, found)
  }
  return found
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
const operations = Object.values(whole.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
  (item) => Object.values(item),
)
const named = (schemas: readonly (Schema | undefined)[]): string[] => {
  const names = schemas.flatMap((schema) => {
    const { $ref } = (schema ?? {}) as { $ref?: string }
    return $ref === undefined ? [] : [$ref.slice($ref.lastIndexOf('/') + 1)]
  })
  return [...new Set(names)]
}
const bodies = named(operations.map(({ requestBody }) => requestBody?.content['application/json']?.schema))
const answers = named(
  operations.flatMap(({ responses }) =>
    Object.values(responses).map(({ content }) => content?.['application/json']?.schema),
  ),
)

/** What whole bodies and answers a change touches. */
const steps = stepsFrom(newest)
const touched = (names: readonly string[], way: 'up' | 'down') =>
  steps.flatMap(({ dated, newer, older }) =>
    names
      .filter((name) => [...namesIn(ref(name), newer)].some((part) => dated.types[part]?.[way]))
      .map((name) => ({ version: dated.version, name, older })),
  )

test.each(touched(answers, 'down'))(
  'answers of $name before $version have the shape of then, or are refused',
  ({ version, name, older }) => {
    const down = translator.down(ref(name), version - 1)
    const shape = shapeOf(name, older)
    const random = randomFrom(version)
    let told = 0
    for (let count = 0; count < tries; count++) {
      const newer = sampled(ref(name), newest, random)
      const result = translated(down, newer)
      if (result === undefined) continue
      told++
      expect(shape.safeParse(result).error?.issues ?? [], JSON.stringify({ newer, result })).toEqual([])
    }
    expect(told).toBeGreaterThan(0)
  },
)

test.each(touched(bodies, 'up'))(
  'bodies of $name before $version become ones of the newest, or are refused',
  ({ version, name, older }) => {
    const up = translator.up(ref(name), version - 1)
    const shape = shapeOf(name, newest)
    const random = randomFrom(version)
    let expressed = 0
    for (let count = 0; count < tries; count++) {
      const value = sampled(ref(name), older, random)
      const result = translated(up, value)
      if (result === undefined) continue
      expressed++
      expect(shape.safeParse(result).error?.issues ?? [], JSON.stringify({ value, result })).toEqual([])
    }
    expect(expressed).toBeGreaterThan(0)
  },
)

const bothWays = steps.flatMap(({ dated, older }) =>
  Object.entries(dated.types)
    .filter(([, { down, up }]) => down && up)
    .map(([name]) => ({ version: dated.version, name, older })),
)
test.each(bothWays)('a $name before $version comes back as it was', ({ version, name, older }) => {
  const random = randomFrom(version)
  const values = Array.from({ length: tries }, () => sampled(ref(name), older, random))
  const newer = values.map((value) => translated(translator.up(ref(name), version - 1), value))
  const back = newer.map((value) => translated(translator.down(ref(name), version - 1), value))
  expect(back).toEqual(values)
})
