import * as refs from '@gantry/api/client/operations.gen'
import type { OpRef } from '@gantry/api/client/client'
import { type CommandWords, commandOf, flagOf } from '@gantry/api/client/command-names.rules'
import { planPrefix } from '@gantry/api/history/plan.rules'
import { tagsHeader } from '@gantry/api/tags/tags-header.rules'
import description from '@gantry/api/openapi.ext.json'
import { type FieldType, propertiesOf, resolved, type Schema, typeOf } from './schema.ts'

/** A value that an operation takes. */
export interface Field extends FieldType {
  place: 'path' | 'query' | 'body'
  name: string
  flag: string
  isRequired: boolean
}

/** An operation as a command. */
export interface OperationCommand extends CommandWords {
  op: Pick<OpRef, 'method' | 'path' | 'reads'>
  id: string
  summary: string
  fields: readonly Field[]
  takes: 'json' | 'form' | 'bytes' | undefined
  /** `nothing` covers HEAD, whose answer is its headers. */
  answers: 'json' | 'text' | 'bytes' | 'events' | 'websocket' | 'nothing'
  /** The schema of what it answers with, of a list the schema of an item. */
  shown: Schema | undefined
  /** Whether it answers with pages. */
  isPaged: boolean
  isAnonymous: boolean
  canPlan: boolean
  takesTags: boolean
}

interface Described {
  operationId: string
  summary: string
  security: readonly object[]
  parameters?: readonly { in: string; name: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
  'x-dropshot-websocket'?: object
}

const paths = description.paths as unknown as Record<string, Record<string, Described>>

const reads = new Map(
  Object.values(refs).map((ref: OpRef) => [
    ref.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    ref.reads,
  ]),
)

/** The command of an operation that this program itself uses. */
export function operation(id: string): OperationCommand {
  const found = commands.find((command) => command.id === id)
  if (!found) throw new Error(`the contract has no operation ${id}`)
  return found
}

export const lineOf = ({ noun, verb }: CommandWords): string => (verb ? `${noun} ${verb}` : noun)

function commandFor(path: string, method: string, described: Described): OperationCommand {
  const { operationId: id, summary, parameters = [], requestBody, security } = described
  const [contentType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const answer = answerOf(described)
  const read = reads.get(id)
  const fields = [
    ...parameters.flatMap(({ in: place, name, required = false, schema }) =>
      place === 'path' || place === 'query' ? [fieldOf(place, name, required, schema)] : [],
    ),
    ...propertiesOf(content?.schema).map(([name, schema, isRequired]) =>
      fieldOf('body', name, isRequired, schema),
    ),
  ]
  const items = resolved(resolved(answer.schema)?.properties?.['items'])?.items
  const isPaged = items !== undefined && fields.some(({ name }) => name === 'page_token')
  return {
    ...commandOf(id),
    id,
    op: {
      method: method.toUpperCase() as OpRef['method'],
      path,
      ...(read && { reads: read }),
    },
    summary,
    fields,
    takes: takenAs(contentType),
    answers: method === 'head' ? 'nothing' : answer.kind,
    shown: items ?? answer.schema,
    isPaged,
    isAnonymous: security.length === 0,
    canPlan: `${planPrefix}${path}` in paths && method in (paths[`${planPrefix}${path}`] ?? {}),
    takesTags: parameters.some(({ name }) => name.toLowerCase() === tagsHeader),
  }
}

const fieldOf = (place: Field['place'], name: string, isRequired: boolean, schema: Schema): Field => ({
  place,
  name,
  flag: flagOf(place, name),
  isRequired,
  ...typeOf(schema),
})

function takenAs(contentType: string | undefined): OperationCommand['takes'] {
  if (contentType === undefined) return undefined
  if (contentType === 'application/json') return 'json'
  return contentType === 'application/octet-stream' ? 'bytes' : 'form'
}

function answerOf(described: Described): { kind: OperationCommand['answers']; schema?: Schema } {
  if (described['x-dropshot-websocket']) return { kind: 'websocket' }
  const success = Object.entries(described.responses).find(([status]) => /^[123]|default/.test(status))?.[1]
  const [type, content] = Object.entries(success?.content ?? {})[0] ?? []
  if (type === 'application/json' && content) return { kind: 'json', schema: content.schema }
  if (type === 'text/event-stream') return { kind: 'events' }
  if (type === 'text/plain') return { kind: 'text' }
  // Answers in OAuth's format are JSON, too.
  if (type === '*/*')
    return {
      kind: takenAs(Object.keys(described.requestBody?.content ?? {})[0]) === 'form' ? 'json' : 'bytes',
    }
  return { kind: 'nothing' }
}

/** Every operation of the contract. */
export const commands: readonly OperationCommand[] = Object.entries(paths)
  .filter(([path]) => !path.startsWith(`${planPrefix}/`))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => commandFor(path, method, described)),
  )
  .sort((a, b) => (lineOf(a) < lineOf(b) ? -1 : 1))
