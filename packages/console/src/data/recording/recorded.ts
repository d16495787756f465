// @chunk recorder: of a recording, which few users begin.
import { fromWire, toWire } from '@gantry/api/client/camel'
import type { CallOptions, Client, LooseInput, OpRef, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { recordKeys } from '@gantry/api/client/records.gen'
import { isSecretField } from '@gantry/api/client/secret-fields.rules'
import { planPrefix } from '@gantry/api/history/plan.rules'
import type { Tag } from '@gantry/api/tags/tag.rules'

type Named = Pick<OpRef, 'name' | 'method' | 'path'>

/** A request that changed something. */
export interface RecordedStep {
  op: Named
  input: LooseInput
  tags?: readonly Tag[] | undefined
  /** The object that it answered with. */
  answered?: { id: string; name?: string | undefined } | undefined
  /** Bytes of a file went with it, or with several such requests. They are not recorded. */
  hasBytes?: true | undefined
  /** Marks it until its answer comes. If the page is left before, it stays: the request may have succeeded. */
  pending?: string | undefined
}

/** An object that a step names by its id, and that no step before answered with. */
export interface KnownObject {
  kind: string
  name: string
  /** How it is found by its name. */
  request?: { op: Named; input: LooseInput } | undefined
}

/**
 * What concerns only the user's own sign-in or view of the console, and questions. Tokens and second factors are among
 * it, so that none of their secrets comes near a recording.
 */
export const isPrivateRequest = (path: string): boolean =>
  /^\/(ext\/v1\/me\/|ext\/v1\/favourites\/|ext\/v1\/device-denials|(ext\/)?v1\/login\/|device\/|v1\/me\/access-tokens|v1\/logout)/.test(
    path,
  ) || path.startsWith(`${planPrefix}/`)

/** Requests that carry bytes in their bodies. */
const ofBytes: ReadonlySet<string> = new Set(['diskBulkWriteImport', 'imageUploadZeros'])

/** A request that succeeded, without its secrets; undefined if it changed nothing that others may see. */
export function stepOf(
  { name, method, path, changes = [] }: OpRef,
  input: LooseInput,
  { tags, content }: CallOptions,
  answer: unknown,
): RecordedStep | undefined {
  const hasBytes = content !== undefined || ofBytes.has(name)
  const isChange = changes.length > 0 || hasBytes
  if (method === 'GET' || !isChange || isPrivateRequest(path)) return undefined
  const { body, ...place } = input
  return {
    op: { name, method, path },
    input: withoutSecrets(hasBytes || body === undefined ? place : { ...place, body }),
    ...(tags && tags.length > 0 && { tags }),
    ...(hasBytes && { hasBytes }),
    answered: identityOf(answer),
  }
}

/** A file goes in many pieces, of which one stands for all. */
export const isNextPiece = (step: RecordedStep, last: RecordedStep | undefined): boolean =>
  step.hasBytes === true && last?.hasBytes === true && isSame(step.input.path, last.input.path)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function identityOf(answer: unknown): RecordedStep['answered'] {
  if (answer === null || typeof answer !== 'object') return undefined
  const { id, name } = answer as { id?: unknown; name?: unknown }
  return typeof id === 'string' ? { id, name: typeof name === 'string' ? name : undefined } : undefined
}

/** Something stands where each secret was, so that what is written later has a variable there. */
function withoutSecrets(input: LooseInput): LooseInput {
  const hide = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hide)
    if (value === null || typeof value !== 'object' || value instanceof Date) return value
    const fields = value as Record<string, unknown>
    return Object.fromEntries(
      Object.entries(fields).map(([name, inner]) => {
        if (!inner || !isSecretField(name, fields)) return [name, hide(inner)]
        return [name, Array.isArray(inner) ? ['secret'] : 'secret']
      }),
    )
  }
  // By the names of the API, in which the rule is.
  return camelOf(eachPart(wireOf(input), hide))
}

type Hit = OutputOf<'search'>['items'][number]

/** The objects behind ids, as far as the user can find them. */
export async function knownObjects(
  client: Client,
  ids: readonly string[],
): Promise<Record<string, KnownObject>> {
  const known: Record<string, KnownObject> = {}
  for (const id of ids) {
    const found = await client(op.search, { query: { text: id, limit: 5 } })
    const hit = found.type === 'success' ? found.data.items.find((each) => each.id === id) : undefined
    if (hit) known[id] = { kind: hit.kind, name: hit.name, request: lookupOf(hit) }
  }
  return known
}

/** How the objects of a kind are read, and which parameter names one. */
const views: Readonly<Partial<Record<Hit['kind'], readonly [ref: OpRef, parameter: string]>>> = {
  disk: [op.diskView, 'disk'],
  'floating-ip': [op.floatingIpView, 'floatingIp'],
  image: [op.imageView, 'image'],
  instance: [op.instanceView, 'instance'],
  'instance-snapshot': [op.instanceSnapshotView, 'instanceSnapshot'],
  project: [op.projectView, 'project'],
  silo: [op.siloView, 'silo'],
  snapshot: [op.snapshotView, 'snapshot'],
  vpc: [op.vpcView, 'vpc'],
}

/** The request that finds an object by its name, in its project. */
function lookupOf({ kind, name, projectName }: Hit): KnownObject['request'] {
  const view = views[kind]
  if (!view) return undefined
  const [{ name: operation, method, path }, parameter] = view
  const isInProject = projectName !== null && kind !== 'project'
  return {
    op: { name: operation, method, path },
    input: { path: { [parameter]: name }, ...(isInProject && { query: { project: projectName } }) },
  }
}

const parts = ['path', 'query', 'body'] as const
const eachPart = (input: LooseInput, change: (value: unknown) => unknown): LooseInput =>
  Object.fromEntries(
    parts.flatMap((part) => (input[part] === undefined ? [] : [[part, change(input[part])]])),
  )
export const wireOf = (input: LooseInput): LooseInput => eachPart(input, (value) => toWire(value, recordKeys))
export const camelOf = (input: LooseInput): LooseInput =>
  eachPart(input, (value) => fromWire(value, recordKeys))
