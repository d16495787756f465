import { z } from 'zod'
import type { TestBed } from '../control-plane.ts'

interface Described {
  operationId: string
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}
type Paths = Record<string, Record<string, Described>>

/** The operations that the document which a version is served describes. */
export class Served {
  readonly #shapes = new Map<string, z.ZodType>()
  readonly #routes: { method: string; pattern: RegExp; literal: number; described: Described }[]

  constructor(
    paths: Paths,
    private readonly schemas: Readonly<Record<string, object>>,
  ) {
    this.#routes = Object.entries(paths)
      .filter(([path]) => !path.startsWith('/ext/'))
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, described]) => ({
          method: method.toUpperCase(),
          pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
          literal: path.replace(/\{\w+\}/g, '').length,
          described,
        })),
      )
      .sort((a, b) => b.literal - a.literal)
  }

  get operations(): string[] {
    return this.#routes.map(({ described }) => described.operationId)
  }

  /** The components that a schema is made of. */
  #partsOf(schema: object, parts: Record<string, object> = {}): Record<string, object> {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      const part = this.schemas[name]
      if (!part || name in parts) continue
      parts[name] = part
      this.#partsOf(part, parts)
    }
    return parts
  }

  find(method: string, path: string): Described | undefined {
    const [pathname = ''] = path.split('?')
    return this.#routes.find((route) => route.method === method && route.pattern.test(pathname))?.described
  }

  /** Nothing that the document lacks may be in a value, and nothing that it demands may be missing. */
  check(what: string, schema: object | undefined, value: unknown): void {
    if (!schema) return
    const key = JSON.stringify(schema)
    const shape =
      this.#shapes.get(key) ?? z.fromJSONSchema(closed({ ...schema, $defs: this.#partsOf(schema) }))
    this.#shapes.set(key, shape)
    const { error } = shape.safeParse(value)
    if (error) throw new Error(`${what}: ${z.prettifyError(error)}\n${JSON.stringify(value)}`)
  }
}

/** A schema that allows no field which it does not name; values of formats are not its matter. */
const closed = (schema: object): z.core.JSONSchema.JSONSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === 'format' && typeof value === 'string') return undefined
      return isRecord(value) && value['properties'] && value['additionalProperties'] === undefined
        ? { ...value, additionalProperties: false }
        : value
    }).replaceAll('#/components/schemas/', '#/$defs/'),
  )

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The document that a version is served, by the headers that name it. */
export async function servedAt({ plane }: TestBed, headers: Record<string, string>): Promise<Served> {
  const request = new Request('http://localhost/ext/v1/openapi.json', { headers })
  const answer = await plane.fetch(request, { address: '127.0.0.1' })
  const { paths, components } = await answer.json()
  return new Served(paths, components.schemas)
}
