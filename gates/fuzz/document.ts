import content from '@gantry/api/openapi.ext.json' with { type: 'json' }
import { Checker, type Schema } from './schema.ts'

export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required: boolean
  schema: Schema
}
type Content = Record<string, { schema: Schema }>
interface Described {
  operationId: string
  security: readonly unknown[]
  parameters: readonly Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content; headers?: Record<string, unknown> }>
}

export interface Operation {
  id: string
  method: string
  path: string
  isAnonymous: boolean
  pathParams: readonly Parameter[]
  query: readonly Parameter[]
  /** The body's encoding and schema, if there is one. */
  body: { type: string; schema: Schema } | undefined
  /** The documented content of a response by type; undefined if the status is not documented. */
  contentOf: (status: number) => Content | undefined
}

// The file matches this type; its inferred type is too long to be useful.
const document = content as unknown as {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

export const checker = new Checker(document.components.schemas)
export const errorSchema: Schema = { $ref: '#/components/schemas/Error' }

/** Every operation in the document. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, described]) => operationOf(path, method, described)),
)

const patterns = operations.map((op) => ({
  op,
  pattern: new RegExp(`^${op.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/**
 * The operation that a request finally addresses, which differs from the intended one if its path was
 * mutated.
 */
export function operationAt(method: string, pathname: string): Operation | undefined {
  const plain = `/${pathname
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}`
  // If a literal and a parameter match the same segment, the literal wins.
  const found = patterns.filter(({ op, pattern }) => op.method === method && pattern.test(plain))
  return (found.find(({ op }) => op.path === plain) ?? found[0])?.op
}

function operationOf(path: string, method: string, described: Described): Operation {
  const { operationId, parameters, requestBody, responses, security } = described
  const [body] = Object.entries(requestBody?.content ?? {})
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    isAnonymous: security.length === 0,
    pathParams: parameters.filter((parameter) => parameter.in === 'path'),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    body: body && { type: body[0], schema: body[1].schema },
    contentOf(status) {
      const found = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default
      return found && (found.content ?? {})
    },
  }
}
