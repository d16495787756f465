import whole from '@gantry/api/openapi.ext.json' with { type: 'json' }
import { planPrefix } from '@gantry/api/history/plan.rules'
import { operationId, ops } from '@gantry/api/registry'
import { changes } from '@gantry/api/versions/changes.gen'
import type { Schema } from '@gantry/api/versions/dated'
import { documentOf, pathIn, type WholeDocument } from '@gantry/api/versions/document'
import { newestVersion, versionHeader } from '@gantry/api/versions/newest.rules'
import { baseVersion, versionNamed } from '@gantry/api/versions/version.rules'
import { z } from 'zod'
import { Router } from '../pipeline/router.ts'

interface Described {
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

type Paths = Record<string, Record<string, Described>>

const router = new Router(ops)
const versions = new Map<number, { paths: Paths; schemas: object }>()
const shapes = new Map<string, z.ZodType | undefined>()

/** Every answer in every test must have the shape that the description of its version tells. */
export function checkShape(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): void {
  const { pathname } = new URL(`http://localhost${path}`)
  const prefix = pathname.startsWith(`${planPrefix}/`) ? planPrefix : ''
  const sent = pathname.slice(prefix.length)
  const named = headers[versionHeader]
  const asked = named === undefined ? baseVersion : versionNamed(named)
  if (typeof asked !== 'number') return
  // As the pipeline does for requests that name no version.
  const version = named === undefined && !router.find(method, sent, asked) ? newestVersion : asked
  const { name, op } = router.match(method, sent, version)
  const at = prefix + pathIn(op, version)
  const shape = shapeAt(version, at, method.toLowerCase())
  const result = shape?.safeParse(body)
  if (result?.error)
    throw new Error(`${operationId(name)} of ${version} answered out of shape: ${result.error.message}`)
}

function shapeAt(version: number, path: string, method: string): z.ZodType | undefined {
  const key = `${version} ${method} ${path}`
  if (shapes.has(key)) return shapes.get(key)
  const { paths, schemas } = versions.get(version) ?? described(version)
  const schema = Object.entries(paths[path]?.[method]?.responses ?? {})
    .filter(([status]) => /^[12]/.test(status))
    .map(([, { content }]) => content?.['application/json']?.schema)
    .find(Boolean)
  const shape =
    schema &&
    z.fromJSONSchema(JSON.parse(local({ ...schema, $defs: schemas })) as z.core.JSONSchema.JSONSchema)
  shapes.set(key, shape)
  return shape
}

function described(version: number) {
  const { paths, components } = documentOf(whole as unknown as WholeDocument, version)
  const made = { paths: paths as unknown as Paths, schemas: { ...components.schemas, ...answeredAlike() } }
  versions.set(version, made)
  return made
}

/** Types that only descriptions had otherwise: answers of every version have what the newest may have. */
function answeredAlike(): object {
  const all = changes.flatMap(({ types }) => Object.entries(types))
  const told = new Set(all.filter(([, { down }]) => down).map(([name]) => name))
  const other = new Set(all.map(([name]) => name).filter((name) => !told.has(name)))
  return Object.fromEntries(Object.entries(whole.components.schemas).filter(([name]) => other.has(name)))
}

/** References within one schema instead of those within a description. Tests may write ids that are no UUIDs by the book. */
const local = (schema: object): string =>
  JSON.stringify(schema, (key, value: unknown) =>
    key === 'format' && typeof value === 'string' ? undefined : value,
  ).replaceAll('#/components/schemas/', '#/$defs/')
