import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import type { Operation } from '@gantry/api/op'
import { type OpName, ops } from '@gantry/api/registry'
import type { Caller, TestBed } from './control-plane.ts'
import { referenceOf, sampleOf } from './sample-body.ts'

export type Selected = Readonly<Record<string, string>>

export const opOf = (name: OpName): Operation => ops[name]

/** Every parameter of path and query that names an object. */
export const selectorsOf = (op: Operation): string[] =>
  [...Object.entries(op.pathParams.shape), ...Object.entries(op.query.shape)]
    .filter(([, schema]) => referenceOf(schema) !== undefined)
    .map(([key]) => key)

export const requiresId = (op: Operation, key: string): boolean => {
  const schema = op.pathParams.shape[key] ?? op.query.shape[key]
  return schema !== undefined && referenceOf(schema) === 'Uuid'
}

/** Another value of the same format that names nothing. */
export const missingName = (key: string, value: string): string =>
  isId(value) ? crypto.randomUUID() : `no-${key.replaceAll('_', '-')}`
const isId = (value: string): boolean => value.length === 36

/** Values of parameters that name no object, without which some reads answer nothing. */
export const plainValues: Selected = {
  metric_name: 'cpus_provisioned',
  start_time: '2026-01-01T00:00:00Z',
  end_time: '2026-01-02T00:00:00Z',
}

/** Everything that a response reveals, without its request id and the requested names. */
export async function disclosed(
  { plane }: TestBed,
  who: Caller,
  name: OpName,
  given: Selected,
  body = bodyOf(opOf(name)),
): Promise<string> {
  const op = opOf(name)
  const url = new URL(
    op.path.replace(/\{(\w+)\}/g, (_, key: string) => given[key] ?? plainValues[key] ?? ''),
    'http://localhost',
  )
  for (const [key, value] of Object.entries(given))
    if (!(key in op.pathParams.shape)) url.searchParams.set(key, value)
  for (const key of op.requiredOnFirstPage)
    if (!(key in given) && plainValues[key]) url.searchParams.set(key, plainValues[key])
  if (name === 'imageUploadWrite' || name === 'updateUploadWrite') url.searchParams.set('offset', '0')
  if (name === 'instanceSerialConsole') url.searchParams.set('from_start', '0')
  const isJson = body !== undefined && !(body instanceof URLSearchParams)
  const request = new Request(url, {
    method: op.method,
    headers: {
      cookie: who.cookie,
      ...asInContract(op),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
  })
  const peer = { address: '127.0.0.1' }
  const response =
    op.transport === 'websocket' ? await plane.upgrade(request, peer) : await plane.fetch(request, peer)
  if (!(response instanceof Response)) return 'a socket'
  const { request_id: _, ...rest } =
    response.headers.get('content-type') === null ? {} : await response.json()
  const headers = [...response.headers].filter(([key]) => key !== 'x-request-id' && key !== 'x-change-seq')
  let text = JSON.stringify([response.status, headers, rest])
  for (const [key, value] of Object.entries(given)) text = text.replaceAll(`\\"${value}\\"`, `<${key}>`)
  return text
}

/** The headers of a request in the shape of the contract, which is that of the last version that has the operation. */
export const asInContract = ({ until }: Operation): Record<string, string> =>
  until === undefined ? { [versionHeader]: newestVersionText } : {}

const bodyOf = ({ body, encoding }: Operation): unknown =>
  body && encoding === 'json' ? sampleOf(body) : undefined
