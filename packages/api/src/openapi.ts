import { z } from 'zod'
import { withPlans } from './openapi-plans.ts'
import { withTagsHeader } from './openapi-tags.ts'
import type { Operation } from './op.ts'
import { operationId, ops } from './registry.ts'
import { referenceDocument } from './reference-document.ts'
import { components, ours } from './schema.ts'
import { describedVersions, documentOf, formerPaths } from './versions/document.ts'
import { baseVersion } from './versions/version.rules.ts'

type Json = Record<string, unknown>

// Client generators expect exactly this shape, including its description.
const Problem = z
  .object({
    request_id: z.string(),
    error_code: z.string().optional(),
    message: z.string(),
    /** What to do about it. */
    help: ours(z.string().optional()),
    /** The numbers and objects in the message. */
    details: ours(z.record(z.string(), z.unknown()).optional()),
    /** If the caller's copy was stale, the current object. */
    current: ours(z.unknown().optional()),
  })
  .meta({ description: 'Error information from a response.' })
components.set(Problem, 'Error')

/** The API documents by file name, made from the same schemas that validate requests. */
export function openapiDocuments(version: string) {
  const whole = wholeDocument(version)
  return {
    'openapi.json': referenceDocument(documentOf(whole, baseVersion)),
    'openapi.ext.json': withPlans(withTagsHeader(whole)),
  }
}

/** The OpenAPI 3.1 document of everything served, in every version of the API. */
function wholeDocument(version: string) {
  const inline = inlineSchemas()
  const schemas = jsonSchemas()
  const paths: Record<string, Record<string, Json>> = {}
  const former: typeof paths = {}
  for (const [name, op] of Object.entries<Operation>(ops)) {
    const item = ((op.until === undefined ? paths : former)[op.path] ??= {})
    item[op.method.toLowerCase()] = describe(name, op, inline)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gantry API',
      version,
      description: 'Private-cloud infrastructure: compute, storage, networking.',
    },
    paths: sorted(paths),
    ...(Object.keys(former).length > 0 && { [formerPaths]: sorted(former) }),
    components: {
      schemas,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

type Inline = (schema: z.core.$ZodType) => Json

function describe(name: string, op: Operation, inline: Inline): Json {
  const success: Json = { description: 'Success' }
  if (op.returns) success.content = { 'application/json': { schema: inline(op.returns) } }
  if (op.transport === 'event-stream')
    success.content = { 'text/event-stream': { schema: { type: 'string' } } }
  if (op.transport === 'text') success.content = { 'text/plain': { schema: { type: 'string' } } }
  if (isFree(op)) success.content = { '*/*': { schema: {} } }
  if (op.status >= 300)
    success.headers = {
      location: { description: 'The next page', required: true, schema: { type: 'string' } },
    }
  const status = isFree(op) ? 'default' : String(op.status)
  return {
    operationId: operationId(name),
    ...describedVersions(op, formerAnswerOf(op, inline)),
    tags: [op.tag],
    summary: op.summary,
    ...(op.anonymous ? { security: [] } : { security: [{ session: [] }, { token: [] }] }),
    parameters: [
      ...parameters('path', op, inline),
      ...parameters('query', op, inline),
      ...(op.maxBytes ? [contentDigest] : []),
      ...(op.transport === 'bytes' ? [range] : []),
    ],
    ...requestBody(op, inline),
    ...(op.transport === 'websocket' ? { 'x-dropshot-websocket': {} } : {}),
    ...(op.requiredOnFirstPage.length > 0 || (op.sorts && op.method === 'GET')
      ? { 'x-dropshot-pagination': { required: op.requiredOnFirstPage } }
      : {}),
    responses: responsesOf(op, op.transport === 'websocket' ? { 101: upgrade } : { [status]: success }),
  }
}

function formerAnswerOf(op: Operation, inline: Inline) {
  if (op.transport === 'websocket') return formerUpgrade
  const { formerAnswer: former } = op
  if (!former) return undefined
  const content = { 'application/json': { schema: inline(former.returns) } }
  return {
    responses: { [String(former.status)]: { description: 'Success', content }, ...refusals },
    until: former.until,
  }
}

/** The status of an upgrade was not described before. */
const upgrade: Json = { description: 'Switching to WebSocket' }
const formerUpgrade = {
  responses: { default: { description: '', content: { '*/*': { schema: {} } } } },
  until: 2026042400,
}

const refusals: Json = Object.fromEntries(
  [
    ['4XX', 'Refused'],
    ['5XX', 'Failed'],
  ].map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]),
)

/** Operations that follow OAuth respond in OAuth's formats, on success and failure. */
function responsesOf(op: Operation, success: Json): Json {
  if (op.encoding === 'form') return { default: { description: '', content: { '*/*': { schema: {} } } } }
  return { ...success, ...refusals }
}

/** Operations whose success has no JSON. */
const isFree = ({ transport }: Operation): boolean => transport === 'websocket' || transport === 'bytes'

/** One range of a file. */
const range: Json = {
  in: 'header',
  name: 'range',
  description: 'The part of the file to send, such as `bytes=0-499`',
  required: false,
  schema: { type: 'string' },
}

/** The digest that bytes are checked against before they are accepted. */
const contentDigest: Json = {
  in: 'header',
  name: 'content-digest',
  description: 'SHA-256 of the body, as `sha-256=:base64:` (RFC 9530)',
  required: true,
  schema: { type: 'string' },
}

function requestBody(op: Operation, inline: Inline): Json {
  const types = { json: 'application/json', form: 'application/x-www-form-urlencoded' }
  const bytes = { type: 'string', format: 'binary', ...(op.maxBytes ? { maxLength: op.maxBytes } : {}) }
  const content =
    op.encoding === 'bytes'
      ? { 'application/octet-stream': { schema: bytes } }
      : op.body && { [types[op.encoding]]: { schema: inline(op.body) } }
  return content ? { requestBody: { required: true, content } } : {}
}

function parameters(where: 'path' | 'query', op: Operation, inline: Inline): Json[] {
  const shape = (where === 'path' ? op.pathParams : op.query).shape
  return Object.entries(shape).map(([name, schema]) => {
    const optional = where === 'query' && z.safeParse(schema, undefined).success
    return { in: where, name, required: !optional, schema: inline(schema) }
  })
}

/** JSON Schemas of the named components and of `extra` ones, with references between them by name. */
function jsonSchemas(extra: ReadonlyMap<z.core.$ZodType, string> = new Map()): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of [...components, ...extra]) registry.add(schema as z.ZodType, { id })
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema as Json),
  })
  for (const schema of Object.values(schemas)) {
    delete schema.$id
    delete schema.$schema
  }
  return schemas
}

/** Schemas at their place of use: a reference to a component, or written out. */
function inlineSchemas(): Inline {
  const extra = new Map<z.core.$ZodType, string>()
  for (const op of Object.values<Operation>(ops)) {
    const used = [
      op.body,
      op.returns,
      op.formerAnswer?.returns,
      ...Object.values(op.pathParams.shape),
      ...Object.values(op.query.shape),
    ]
    for (const schema of used)
      if (schema && !components.has(schema as z.ZodType) && !extra.has(schema))
        extra.set(schema, `inline-${extra.size}`)
  }
  const written = jsonSchemas(extra)
  // Inline schemas may share parts (an optional id, and that id alone elsewhere): write them out there too.
  const spread = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(spread)
    if (node === null || typeof node !== 'object') return node
    const { $ref } = node as { $ref?: string }
    if ($ref?.startsWith('#/components/schemas/inline-')) return spread(written[$ref.split('/').at(-1) ?? ''])
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, spread(value)]))
  }
  return (schema) => {
    const id = components.get(schema as z.ZodType)
    return id ? { $ref: `#/components/schemas/${id}` } : (spread(written[extra.get(schema) ?? '']) as Json)
  }
}

/** The document describes responses, which never omit a null; requests may (`.nullable().default(null)`). */
function requireNulls(schema: Json): void {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Json>
    required?: string[]
  }
  for (const [name, property] of Object.entries(properties)) {
    if (property.default !== null) continue
    delete property.default
    schema.required = [...required, name]
  }
}

/**
 * Limits that every JSON number has are noise, `unpublished` parts are internal, and `undescribed` documents belong to
 * another specification.
 */
function tidy(schema: Json): void {
  requireNulls(schema)
  const { oneOf } = schema as { oneOf?: { unpublished?: boolean }[] }
  if (oneOf) schema.oneOf = oneOf.filter((alternative) => !alternative.unpublished)
  if (schema.undescribed) for (const key of Object.keys(schema)) delete schema[key]
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === -Number.MAX_SAFE_INTEGER) delete schema.minimum
}
