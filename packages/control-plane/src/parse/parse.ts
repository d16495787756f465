import { z } from 'zod'
import type { BodyOf, Operation, PathOf, QueryOf } from '@gantry/api/op'
import { readBytes } from './body.ts'
import { tooDeepAt } from './depth.ts'
import { explain, locate } from './explain.ts'
import { readLists } from './oversize.ts'
import type { Breath } from '../context/pauses.ts'
import { invalidValue, type Refusal, unreadable } from '../context/refusal.ts'

/** The parsed input of an operation. */
export interface Parsed<O extends Operation = Operation> {
  path: PathOf<O>
  query: QueryOf<O>
  body: BodyOf<O>
}

export interface Reading {
  /** The schema of the base edition, for a body that is in its shape. */
  base?: z.ZodType | undefined
  /** What parameters are called in the version, by the names in the contract; null for those that it lacks. */
  names?: Readonly<Record<string, string | null>> | undefined
  /** What a request means that cannot name a parameter. */
  means?: Readonly<Record<string, string>> | undefined
  /** Turns the body of an older version into what the schema describes. */
  translate?: ((body: object) => unknown) | undefined
  /** Requests of the version have no body, and mean an empty one. */
  isBodiless?: boolean
  /** Told how many items the lists of the body have, before they are validated. Throws to refuse them. */
  charge?: (items: number) => void
  /** Called between the items of long lists. */
  breath?: Breath
}

/** Parses the input of an authenticated request: path, then query, then body. */
export async function parseRequest<O extends Operation>(
  op: O,
  params: Record<string, string>,
  url: URL,
  request: Request,
  reading: Reading = {},
): Promise<Parsed<O>> {
  // Each part is parsed by the schema that its type is inferred from.
  const parsed: Parsed = {
    path: parsePath(op, params),
    query: { ...parseQuery(op, url.searchParams, reading.names), ...reading.means },
    body: op.body && (await bodyOf(op, op.body, request, reading)),
  }
  return parsed
}

function parsePath(op: Operation, params: Record<string, string>): Record<string, unknown> {
  const result = op.pathParams.safeParse(params)
  if (!result.success)
    throw unreadable(`bad parameter in URL path: ${explain(result.error.issues, params).detail}`)
  refuseNul(Object.values(params).join(''), 'bad parameter in URL path: ')
  return result.data
}

export function parseQuery(
  op: Operation,
  search: URLSearchParams,
  names: Reading['names'] = {},
): Record<string, unknown> {
  const fields = withNames(op.query, names)
  const given = readFields(fields, search, unreadableQuery)
  const data = checkFields(fields, given, unreadableQuery)
  for (const [name, former] of Object.entries(names))
    if (former !== null && former in data) {
      data[name] = data[former]
      delete data[former]
    }
  if (!given.page_token) {
    const missing = op.requiredOnFirstPage.find((key) => given[key] === undefined)
    if (missing) throw unreadable(`${unreadableQuery}missing field \`${missing}\``)
  }
  return data
}

/** The fields as a version called them, so that refusals name them so. */
function withNames(fields: z.ZodObject, names: NonNullable<Reading['names']>): z.ZodObject {
  if (Object.keys(names).length === 0) return fields
  return z.object(
    Object.fromEntries(
      Object.entries(fields.shape)
        .filter(([name]) => names[name] !== null)
        .map(([name, schema]) => [names[name] ?? name, schema]),
    ),
  )
}

/** Parses name-value pairs of a query or form into an object. */
export function parseForm(form: z.ZodObject, text: string): Record<string, unknown> {
  return checkFields(form, readFields(form, new URLSearchParams(text), unreadableForm), unreadableForm)
}

const unreadableQuery = 'unable to parse query string: '
const unreadableForm = 'unable to parse URL-encoded body: '

function readFields(fields: z.ZodObject, search: URLSearchParams, problem: string): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(fields.shape)) {
    const values = search.getAll(key)
    const [value] = values
    if (value === undefined) continue
    refuseNul(values.join(''), problem)
    if (isList(schema)) {
      given[key] = values.flatMap((text) => text.split(','))
      continue
    }
    // Coercion would also accept empty text, blanks, signs, hexadecimal and exponents as numbers.
    if (!/^\d+$/.test(value) && isNumeric(schema)) throw unreadable(`${problem}${key}: ${noInteger(value)}`)
    given[key] = value
  }
  return given
}

function checkFields(
  fields: z.ZodObject,
  given: Record<string, unknown>,
  problem: string,
): Record<string, unknown> {
  const result = fields.safeParse(given)
  if (result.success) return result.data
  const { path, detail } = explain(result.error.issues, given)
  throw unreadable(`${problem}${detail.startsWith('missing') ? '' : `${path.join('.')}: `}${detail}`)
}

const noInteger = (text: string): string =>
  text === '' ? 'cannot parse integer from empty string' : 'invalid digit found in string'

const isNumeric = oncePerSchema((schema) => z.safeParse(schema, '1').data === 1)

/** A list is given by repeating its key or separated by commas. */
const isList = oncePerSchema((schema) => {
  let inner: unknown = schema
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap()
  return inner instanceof z.ZodArray
})

/** Every request asks the same of the same schemas, and a value that does not fit costs more than the rest. */
function oncePerSchema(ask: (schema: z.ZodType) => boolean): (schema: z.core.$ZodType) => boolean {
  const known = new WeakMap<z.core.$ZodType, boolean>()
  return (schema) => {
    const answer = known.get(schema) ?? ask(schema as z.ZodType)
    known.set(schema, answer)
    return answer
  }
}

/** A missing content type is accepted. */
export function expectContentType(request: Request, expected: string): void {
  const mime = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (mime && mime !== expected) throw unreadable(`expected content type "${expected}", got "${mime}"`)
}

const bodyOf = (op: Operation, schema: z.ZodType, request: Request, reading: Reading): Promise<unknown> =>
  reading.isBodiless ? schema.parseAsync({}) : parseBody(op, schema, request, reading)

async function parseBody(
  op: Operation,
  schema: z.ZodType,
  request: Request,
  reading: Reading = {},
): Promise<unknown> {
  if (op.encoding === 'json') return parseJson(op, schema, request, reading)
  expectContentType(request, 'application/x-www-form-urlencoded')
  // Only objects can be form-encoded.
  return parseForm(schema as z.ZodObject, await readText(request, op.bodyMax, unreadableForm))
}

async function parseJson(
  op: Operation,
  schema: z.ZodType,
  request: Request,
  reading: Reading = {},
): Promise<unknown> {
  const { base, translate } = reading
  expectContentType(request, 'application/json')
  const json = await readJson(request, op.bodyMax)
  if (!translate) return checkJson(schema, json, reading)
  const input = base ? await checkJson(base, json, reading) : json.input
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return checkJson(
    schema,
    { text: json.text, input: isObject ? translate(input) : input },
    base ? {} : reading,
  )
}

interface Json {
  text: string
  input: unknown
}

async function checkJson(
  schema: z.ZodType,
  { text, input }: Json,
  { charge, breath }: Reading,
): Promise<unknown> {
  const lists = await readLists(schema, input, charge, breath)
  if (lists.kind === 'too long' && !lists.error)
    throw invalidValue(labelOf(lists.path), `max length ${lists.maximum}`)
  if (lists.kind === 'too long') throw unreadableAt(text, lists.path, lists.error ?? '')
  if (lists.kind === 'bad item')
    throw badJson(
      text,
      input,
      lists.issues.map((issue) => ({ ...issue, path: [...lists.path, ...issue.path] })),
    )
  const result = lists.schema.safeParse(lists.value)
  if (result.success) return result.data
  throw badJson(text, input, result.error.issues)
}

/** The JSON of a body, with its text. */
export async function readJson(request: Request, maxBytes: number): Promise<Json> {
  const text = await readText(request, maxBytes, unreadableJson)
  const deep = tooDeepAt(text)
  if (deep !== undefined)
    throw unreadable(`${unreadableJson}recursion limit exceeded${positionIn(text, deep)}`)
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch (error) {
    throw unreadable(
      `unable to parse JSON body: ${text.trim() === '' ? 'EOF while parsing a value' : 'expected value'}${position(text, error)}`,
    )
  }
  const bad = text.includes('\\u') && unstorable(input)
  if (bad) throw unreadable(`unable to parse JSON body: strings may not contain ${bad}`)
  return { text, input }
}

/** A list's label as in the API: without the index of the object that holds it. */
const labelOf = (path: readonly (string | number)[]): string =>
  path.slice(path.findLastIndex((part) => typeof part === 'number') + 1).join('.')

function badJson(text: string, input: unknown, issues: readonly z.core.$ZodIssue[]): Refusal {
  const { path, detail } = explain(issues, input)
  // A missing field is reported at the object that lacks it, as in the reference.
  return unreadableAt(text, path, detail, detail.startsWith('missing field') ? path.slice(0, -1) : path)
}

function unreadableAt(
  text: string,
  path: (string | number)[],
  detail: string,
  shown: readonly (string | number)[] = path,
): Refusal {
  const where = shown.reduce<string>(
    (text, part) => text + (typeof part === 'number' ? `[${part}]` : `${text && '.'}${part}`),
    '',
  )
  const { line, column } = locate(text, path)
  return unreadable(
    `unable to parse JSON body: ${where && `${where}: `}${detail} at line ${line} column ${column}`,
  )
}

/** PostgreSQL can store neither, and both are never intended. In JSON they can only come from an escape. */
function unstorable(input: unknown): string | undefined {
  const left = [input]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) left.push(key, inner)
    if (typeof value !== 'string') continue
    if (value.includes('\0')) return 'the character U+0000'
    if (/\p{Surrogate}/u.test(value)) return 'half of a surrogate pair'
  }
  return undefined
}

const unreadableJson = 'unable to parse JSON body: '

/** Reads a form posted from another site's page, whose contents are untrusted. */
export const readForm = async (request: Request, maxBytes: number): Promise<string> =>
  readText(request, maxBytes, unreadableForm)

async function readText(request: Request, maxBytes: number, problem: string): Promise<string> {
  const bytes = await readBytes(request, maxBytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable(`${problem}invalid unicode code point`)
  }
}

function position(text: string, error: unknown): string {
  return positionIn(text, Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? text.length))
}

function positionIn(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n')
  return ` at line ${lines.length} column ${lines.at(-1)?.length ?? 0}`
}

function refuseNul(text: string, prefix: string): void {
  if (text.includes('\0')) throw unreadable(`${prefix}invalid character U+0000`)
}
