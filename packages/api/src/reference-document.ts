export type Json = Record<string, unknown>
interface Document {
  info: Json
  paths: Record<string, Record<string, Json>>
  components: { schemas: Record<string, Json> }
}

/** Marks a property that is ours in a schema of the reference. */
export const ownField = 'x-gantry-extension'
/** Our operations have a path of their own, or at least the tag. */
const isOwn = (path: string, { tags }: Json): boolean =>
  path.startsWith('/ext/') || (tags as string[]).includes('extensions')

/**
 * The part of the complete document that belongs to the reference API, in OpenAPI 3.0.3: the version and the
 * shapes that client generators for that API expect.
 */
export function referenceDocument({ info, paths, components }: Document) {
  const kept = Object.entries(paths).flatMap(([path, item]) => {
    const ops = Object.entries(item).filter(([, op]) => !isOwn(path, op))
    return ops.length > 0
      ? [[path, Object.fromEntries(ops.map(([method, op]) => [method, operation(op)]))]]
      : []
  })
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, downgraded(schema) as Json]),
  )
  const served: Record<string, Record<string, Json>> = Object.fromEntries(kept)
  const described = reachable(schemas, served)
  return {
    openapi: '3.0.3',
    info: {
      ...info,
      description: [info['description'], toldOf(components.schemas, described)].filter(Boolean).join('\n\n'),
    },
    paths: served,
    components: {
      responses: {
        Error: {
          description: 'Error',
          content: { 'application/json': { schema: { $ref: refTo('Error') } } },
        },
      },
      schemas: described,
    },
  }
}

/**
 * Answers have our own fields, too, so the description names them: in words, because generators build clients from
 * everything else.
 */
function toldOf(schemas: Record<string, Json>, kept: Json): string {
  const told = Object.entries(schemas).flatMap(([name, { properties = {} }]) => {
    const own = Object.entries(properties as Record<string, Json>).filter(([, property]) =>
      isOwnField(property),
    )
    return name in kept && own.length > 0 ? [`${name} (${own.map(([field]) => field).join(', ')})`] : []
  })
  return told.length > 0 ? `${tellsOf} ${told.sort().join(', ')}.` : ''
}

const tellsOf = 'Answers may have more than this describes, which /ext/v1/openapi.json does:'

/** The fields that a description tells of, by schema. */
export function toldFields(description: string): Map<string, string[]> {
  const [, told = ''] = description.split(tellsOf)
  return new Map(
    [...told.matchAll(/(\w+) \(([\w, ]+)\)/g)].map(([, name = '', own = '']) => [name, own.split(', ')]),
  )
}

const isOwnField = (property: Json): boolean => property[ownField] !== undefined

export const refTo = (name: string): string => `#/components/schemas/${name}`

/** Security is omitted, as in the reference: a client gets its token separately. */
function operation({ security: _security, ...op }: Json): Json {
  const parameters = (op['parameters'] as Json[]).map(({ required, schema, ...parameter }) => ({
    ...parameter,
    ...(required === true && { required }),
    // A query cannot express null: the parameter is omitted.
    schema: parameter['in'] === 'query' ? withoutNull(schema as Json) : downgraded(schema),
  }))
  const responses = Object.entries(op['responses'] as Json).flatMap(([status, response]) => {
    if (!/^[45]XX$/.test(status)) return [[status, downgraded(response)]]
    // The response to an upgrade is a separate protocol.
    return 'x-dropshot-websocket' in op ? [] : [[status, { $ref: '#/components/responses/Error' }]]
  })
  return { ...(downgraded(op) as Json), parameters, responses: Object.fromEntries(responses) }
}

/** A primitive keeps `nullable`, as in the reference; a named type does not. */
function withoutNull(schema: Json): Json {
  const { nullable, allOf, ...plain } = downgraded(schema) as { nullable?: true; allOf?: Json[] }
  const [named] = allOf ?? []
  return named ?? { ...(nullable && { nullable }), ...plain }
}

/** A schema of OpenAPI 3.1 as 3.0.3 has it. */
export function downgraded(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(downgraded)
  if (typeof node !== 'object' || node === null) return node
  const {
    propertyNames: _names,
    const: value,
    anyOf,
    properties,
    required,
    $ref,
    ...rest
  } = node as {
    propertyNames?: Json
    const?: unknown
    anyOf?: Json[]
    properties?: Record<string, Json>
    required?: string[] | boolean
    $ref?: string
  }
  const plain: Json = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, downgraded(inner)]))
  const { type } = plain
  if (Array.isArray(type))
    Object.assign(plain, { type: type.find((each) => each !== 'null'), nullable: true })
  if (value !== undefined) plain['enum'] = [value]
  if (isIntegers(plain['enum'])) plain['type'] = 'integer'
  // Some generators compare lists of names literally, in the reference's order.
  if (required) plain['required'] = Array.isArray(required) ? required.toSorted() : required
  if (properties) plain['properties'] = fields(properties)
  // In 3.0, siblings of a reference are ignored.
  if ($ref) return Object.keys(plain).length > 0 ? { ...plain, allOf: [{ $ref }] } : { $ref }
  return anyOf ? union(plain, anyOf) : plain
}

const isIntegers = (values: unknown): boolean => Array.isArray(values) && values.every(Number.isInteger)

const fields = (properties: Record<string, Json>): Json =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, property]) => !isOwnField(property))
      .map(([name, property]) => [name, downgraded(property)]),
  )

/** In 3.0, null is a keyword and not a type. */
function union(plain: Json, anyOf: Json[]): Json {
  const others = anyOf.filter(({ type }) => type !== 'null').map((each) => downgraded(each) as Json)
  const nullable = others.length < anyOf.length ? { nullable: true } : {}
  const [only, more] = others
  if (!only || more) return { ...plain, ...nullable, oneOf: others }
  return '$ref' in only ? { ...plain, ...nullable, allOf: [only] } : { ...plain, ...nullable, ...only }
}

/** The schemas that the operations use, directly or indirectly. */
function reachable(schemas: Record<string, Json>, paths: Json): Json {
  const found = new Set(['Error'])
  const visit = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      visit(schemas[name])
    }
  }
  visit(paths)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)))
}
