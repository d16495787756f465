// @chunk recorder: of a recording, which few users begin.
import { toWire } from '@gantry/api/client/camel'
import { recordKeys } from '@gantry/api/client/records.gen'
import { isUuid } from '@gantry/api/base/name.rules'
import { isPrivateRequest } from '@gantry/api/history/sent-request.rules'
import type { Recorded } from '#/data/recording/recorded.ts'
import { bodyOf, isSecret, queryWithout } from './code.ts'
import { programOf, type Program } from './script.ts'
import type { CodeRequest } from './request.ts'

/** A request of a plan, in the words of the API. */
export interface PlanRequest {
  operation: string
  method: string
  path: string
  params: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, unknown>>
  body?: unknown
  tags: readonly { key: string; value: string }[]
  /** The field of its answer that later steps name. */
  gives?: { name: string; field: string }
}

export type PlanStep = PlanRequest | { note: string }

/** Requests in their order, with names for ids, as a file holds them. */
export interface PlanFile {
  gantry_plan: 1
  /** Where it was recorded. */
  server: string
  /** Ids that no request finds. */
  ids: readonly { name: string; about: string; id: string }[]
  steps: readonly PlanStep[]
}

/** What stands in a request for a value of another one, and for a secret. */
const reference = '$from'
const secret = '$secret'

export const isRequest = (step: PlanStep): step is PlanRequest => 'operation' in step

/** What was recorded, as a plan. */
export function planFileOf(
  steps: readonly Recorded[],
  { server, known }: { server: string; known: Parameters<typeof programOf>[1] },
): PlanFile {
  const program = programOf(steps, known, false)
  return {
    gantry_plan: 1,
    server,
    ids: program.constants.map(({ variable, note }) => ({
      name: variable.words.join('_'),
      about: note,
      id: variable.value,
    })),
    steps: program.lines.map((line) => {
      if ('note' in line) return { note: line.note.join(' ') }
      const { op, input, tags = [] } = line.request
      const named = (value: unknown) => withNames(value, program)
      const { body } = bodyOf(line.request)
      return {
        operation: op.name,
        method: op.method,
        path: op.path,
        params: named(wirePart(input.path)) as PlanRequest['params'],
        query: named(wirePart(queryWithout(input))) as PlanRequest['query'],
        ...(body !== undefined && { body: named(body) }),
        tags,
        ...(line.variable && {
          gives: { name: line.variable.words.join('_'), field: line.variable.field },
        }),
      }
    }),
  }
}

/** Through JSON, as it is sent. */
const wirePart = (part: CodeRequest['input']['path'] = {}): unknown =>
  JSON.parse(JSON.stringify(toWire(part, recordKeys)))

const withNames = (value: unknown, program: Program): unknown =>
  mapped(value, (inner) => {
    if (isSecret(inner)) return { [secret]: inner.variable }
    const variable = program.variables.find((each) => each.value === inner)
    return variable && { [reference]: variable.words.join('_') }
  })

/** A value with others in place of those for which there is one. */
function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  const other = change(value)
  if (other !== undefined) return other
  if (Array.isArray(value)) return value.map((each) => mapped(each, change))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapped(inner, change)]))
}

const only = (value: unknown, key: string): string | undefined => {
  if (value === null || typeof value !== 'object' || Object.keys(value).length !== 1) return undefined
  const inner = (value as Record<string, unknown>)[key]
  return typeof inner === 'string' ? inner : undefined
}

function found(value: unknown, key: string): string[] {
  if (value === null || typeof value !== 'object') return []
  const own = only(value, key)
  return own === undefined ? Object.values(value).flatMap((inner) => found(inner, key)) : [own]
}

const partsOf = ({ params, query, body }: PlanRequest): unknown[] => [params, query, body]

/** The names of the secrets that are asked for before a plan runs. */
export const secretsOf = ({ steps }: PlanFile): string[] => [
  ...new Set(steps.filter(isRequest).flatMap((step) => found(partsOf(step), secret))),
]

/** What a step names of the others. */
export const namesIn = (step: PlanRequest): string[] => found(partsOf(step), reference)

/** The names of projects in a plan, each of which can be another one where it runs. */
export const projectsOf = ({ steps }: PlanFile): string[] => [
  ...new Set(steps.filter(isRequest).flatMap((step) => placesOf(step).map(({ name }) => name))),
]

/** Where a request has the name of a project. */
function placesOf({ operation, path, params, query, body }: PlanRequest) {
  const named: { part: 'params' | 'query' | 'body'; key: string; name: string }[] = []
  const note = (part: 'params' | 'query' | 'body', key: string, fields: unknown) => {
    const name = (fields as Record<string, unknown> | undefined)?.[key]
    if (typeof name === 'string' && !isUuid(name)) named.push({ part, key, name })
  }
  note('query', 'project', query)
  if (path.includes('{project}')) note('params', 'project', params)
  if (operation === 'projectCreate') note('body', 'name', body)
  return named
}

/** What a user gives a plan before it runs. */
export interface Given {
  /** By the name in the plan. */
  projects: Readonly<Record<string, string>>
  ids: Readonly<Record<string, string>>
  secrets: Readonly<Record<string, string>>
}

/** The request with what was given and what earlier steps answered, in the words of the API. */
export function filled(
  step: PlanRequest,
  { projects, ids, secrets }: Given,
  answers: Readonly<Record<string, string>>,
): PlanRequest {
  const moved = structuredClone(step) as PlanRequest & Record<'params' | 'query' | 'body', object>
  for (const { part, key, name } of placesOf(step))
    Object.assign(moved[part], { [key]: projects[name] ?? name })
  const value = (inner: unknown): unknown => {
    const name = only(inner, reference)
    if (name !== undefined) return answers[name] ?? ids[name]
    const hidden = only(inner, secret)
    return hidden === undefined ? undefined : (secrets[hidden] ?? '')
  }
  const full = { ...step }
  full.params = mapped(moved.params, value) as PlanRequest['params']
  full.query = mapped(moved.query, value) as PlanRequest['query']
  if (step.body !== undefined) full.body = mapped(moved.body, value)
  return full
}

/** A file that is no plan, with a sentence that says why. */
export class NoPlan extends Error {}

export const planLimits = { characters: 2_000_000, steps: 1000 } as const

/** Reads a file, which may have been written by anybody. */
export function readPlan(text: string): PlanFile {
  if (text.length > planLimits.characters) throw new NoPlan('The file is too large for a plan: at most 2 MB.')
  let plan: Record<string, unknown> | null
  try {
    plan = JSON.parse(text) as Record<string, unknown> | null
  } catch {
    throw new NoPlan('The file is not JSON. Choose a plan that was downloaded from a recording.')
  }
  if (plan?.gantry_plan !== 1)
    throw new NoPlan('The file is not a plan. Choose one that was downloaded from a recording.')
  const { server, ids = [], steps } = plan
  if (!Array.isArray(steps) || steps.length === 0) throw new NoPlan('The plan has no steps.')
  if (steps.length > planLimits.steps)
    throw new NoPlan(`The plan has more than ${planLimits.steps} steps. Divide it.`)
  if (!Array.isArray(ids) || !ids.every(isId))
    throw new NoPlan('The ids of the plan are not as they are written.')
  const names = new Set(ids.map(({ name }) => name))
  for (const [index, step] of (steps as unknown[]).entries()) {
    const why = whyNotStep(step, names)
    if (why) throw new NoPlan(`Step ${index + 1} of the plan ${why}.`)
  }
  return { gantry_plan: 1, server: isText(server) ? server : '', ids, steps: steps as PlanStep[] }
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isId = (value: unknown): value is PlanFile['ids'][number] =>
  isFields(value) && [value.name, value.about, value.id].every(isText)

const isTag = (value: unknown): boolean =>
  isFields(value) && isText(value.key) && typeof value.value === 'string'

/** Why it cannot be sent; what it gives is known to those after it. */
function whyNotStep(step: unknown, names: Set<string>): string | undefined {
  if (!isFields(step)) return 'is no request'
  if (typeof step.note === 'string' && step.operation === undefined) return undefined
  const { operation, method, path, params, query, tags, gives } = step
  if (!isText(operation) || !isText(path) || !/^[a-zA-Z0-9]+$/.test(operation)) return 'names no operation'
  if (!['GET', 'POST', 'PUT', 'DELETE'].includes(String(method))) return 'has no method that a plan can send'
  if (!/^\/(?:ext\/)?v1\/[\w{}/-]+$/.test(path)) return 'has no path of the API'
  if (isPrivateRequest(path)) return 'concerns a sign-in or tokens, which no plan changes'
  if (!isFields(params) || !isFields(query) || !Array.isArray(tags) || !tags.every(isTag))
    return 'is not as plans are written'
  const unknown = found([params, query, step.body], reference).find((name) => !names.has(name))
  if (unknown !== undefined) return `names ${unknown}, which no step before it gives`
  if (gives === undefined) return undefined
  if (
    !isFields(gives) ||
    !isText(gives.name) ||
    !/^(?:[a-z_]+\.(?:\d\.)?)?(?:id|hash)$/.test(String(gives.field))
  )
    return 'gives nothing that a later step can name'
  names.add(gives.name)
  return undefined
}
