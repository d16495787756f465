import { changes } from './changes.gen.ts'
import { type Dated, isObject, type Schema, type TypeChange, Untranslatable } from './dated.ts'

/** Of an object's type; the changes of an enumeration are given its text. */
type Value = Record<string, unknown>
type Translation = (value: unknown) => unknown
type Schemas = Readonly<Record<string, Schema>>
interface Step {
  dated: Dated
  /** The components before and after the change. */
  newer: Schemas
  older: Schemas
}

/** The changes from the newest on back, each with the components on both sides of it. */
export function stepsFrom(newest: Schemas): Step[] {
  const steps: Step[] = []
  let newer = newest
  for (const dated of changes.toReversed()) {
    const older = { ...newer, ...olderTypes(dated, newer) }
    steps.push({ dated, newer, older })
    newer = older
  }
  return steps
}

const olderTypes = ({ version, types }: Dated, newer: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(types).map(([name, change]) => {
      const schema = newer[name]
      // What only the older version had.
      if (!schema && change.schema.length > 0)
        throw new Error(`version ${version} changes ${name}, which is unknown`)
      return [name, change.schema(schema ?? {})]
    }),
  )

/** Translates answers of the newest version to older ones, and requests back, for the components of a description. */
export class Translator {
  readonly #steps: readonly Step[]
  readonly #made = new Map<string, Translation | undefined>()

  constructor(newest: Schemas) {
    this.#steps = stepsFrom(newest)
  }

  /**
   * How a value of this schema in the newest version becomes one of the version; undefined if it stays the same. Throws
   * `Untranslatable` for a field that the version has no words for, unless it lacks the field itself.
   */
  down(schema: Schema, version: number): Translation | undefined {
    return this.#kept('down', schema, version, () => {
      const translate = composed(
        this.#after(version).map(({ dated, newer }) =>
          translation(schema, newer, (name) => dated.types[name]?.down),
        ),
      )
      return translate && ((value) => told(translate(value)))
    })
  }

  /** How a value of this schema in the version, of a request, becomes one of the newest; undefined if it stays the same. */
  up(schema: Schema, version: number): Translation | undefined {
    return this.#kept('up', schema, version, () =>
      composed(
        this.#after(version)
          .toReversed()
          .map(({ dated, older }) => translation(schema, older, (name) => dated.types[name]?.up)),
      ),
    )
  }

  #after(version: number): readonly Step[] {
    return this.#steps.filter(({ dated }) => dated.version > version)
  }

  #kept(way: 'down' | 'up', schema: Schema, version: number, make: () => Translation | undefined) {
    const key = `${way} ${version} ${JSON.stringify(schema)}`
    if (!this.#made.has(key)) this.#made.set(key, make())
    return this.#made.get(key)
  }
}

function composed(translations: readonly (Translation | undefined)[]): Translation | undefined {
  const needed = translations.filter((one) => one !== undefined)
  if (needed.length === 0) return undefined
  return (value) => needed.reduce((result, translate) => translate(result), value)
}

type Changed = (component: string) => TypeChange['down'] | TypeChange['up']

/** The translation of a value by its schema, or undefined if nothing in it changed. */
function translation(schema: Schema, schemas: Schemas, changed: Changed): Translation | undefined {
  /** Of components; undefined while one is being made, so that what contains itself is left as it is there. */
  const made = new Map<string, Translation | undefined>()

  function ofComponent(name: string): Translation | undefined {
    if (made.has(name)) return made.get(name)
    made.set(name, undefined)
    const inner = of(schemas[name] ?? {})
    const own = changed(name)
    const whole = composed([inner, own && ((value) => (isTranslated(value) ? own(value) : value))])
    made.set(name, whole)
    return whole
  }

  function of(node: Schema): Translation | undefined {
    const { $ref, properties, items, anyOf, oneOf, allOf, additionalProperties } = node as {
      $ref?: string
      properties?: Record<string, Schema>
      items?: Schema
      anyOf?: readonly Schema[]
      oneOf?: readonly Schema[]
      allOf?: readonly Schema[]
      additionalProperties?: Schema | boolean
    }
    if ($ref !== undefined) return ofComponent($ref.slice($ref.lastIndexOf('/') + 1))
    const variants = anyOf ?? oneOf ?? allOf
    if (variants) return ofVariants(variants)
    if (items) {
      const each = of(items)
      return each && ((value) => (Array.isArray(value) ? value.map(each) : value))
    }
    const fields = Object.entries(properties ?? {}).flatMap(([name, field]): [string, Translation][] => {
      const each = of(field)
      return each ? [[name, each]] : []
    })
    const rest = typeof additionalProperties === 'object' ? of(additionalProperties) : undefined
    if (fields.length === 0 && !rest) return undefined
    return (value) => {
      if (!isObject(value)) return value
      const result = { ...value }
      for (const [name, each] of fields) if (name in result) result[name] = kept(each, result[name])
      if (rest)
        for (const name of Object.keys(result)) if (!properties?.[name]) result[name] = rest(result[name])
      return result
    }
  }

  function ofVariants(variants: readonly Schema[]): Translation | undefined {
    const real = variants.filter(({ type }) => type !== 'null')
    const [only, more] = real
    if (only && !more) {
      const each = of(only)
      return each && ((value) => (value === null ? value : each(value)))
    }
    const tagged = new Map<unknown, Translation>()
    for (const each of real) {
      const inner = of(each)
      const tag = tagOf(each)
      if (inner && tag !== undefined) tagged.set(tag, inner)
    }
    if (tagged.size === 0) return undefined
    return (value) => (isObject(value) ? (tagged.get(value['type'])?.(value) ?? value) : value)
  }

  return of(schema)
}

/** The value of a field that has no words in some version: an older one may lack the field. */
class Untold {
  constructor(readonly why: Untranslatable) {}
}

function kept(translate: Translation, value: unknown): unknown {
  if (value instanceof Untold) return value
  try {
    return translate(value)
  } catch (error) {
    if (error instanceof Untranslatable) return new Untold(error)
    throw error
  }
}

/** The value, unless a field was left without words. */
function told(value: unknown): unknown {
  if (value instanceof Untold) throw value.why
  if (Array.isArray(value)) value.forEach(told)
  else if (isObject(value)) Object.values(value).forEach(told)
  return value
}

/** Enumerations are translated as well as objects; null and lists never have a change of their own. */
const isTranslated = (value: unknown): value is Value => isObject(value) || typeof value === 'string'

const tagOf = (schema: Schema): unknown => {
  const { type } = (schema['properties'] ?? {}) as Record<string, Schema> as { type?: Schema }
  return type?.['const'] ?? (type?.['enum'] as readonly unknown[] | undefined)?.[0]
}
