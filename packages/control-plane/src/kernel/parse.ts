import { z } from 'zod'
import type { Operation } from '@gantry/api/op'
import { readBytes } from './body.ts'
import { tooDeepAt } from './depth.ts'
import { explain, locate } from './explain.ts'
import { listProblem } from './oversize.ts'
import { invalidValue, type Refusal, unreadable } from './refusal.ts'

export interface Parsed {
  path: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

/** Everything that a request of a known caller says: path, then query, then body. */
export async function parseRequest(
  op: Operation,
  params: Record<string, string>,
  url: URL,
  request: Request,
): Promise<Parsed> {
  return {
    path: parsePath(op, params),
    query: parseQuery(op, url.searchParams),
    body: op.body ? await parseBody(op, op.body, request) : undefined,
  }
}

function parsePath(op: Operation, params: Record<string, string>): Record<string, unknown> {
  const result = op.pathParams.safeParse(params)
  if (!result.success)
    throw unreadable(`bad parameter in URL path: ${explain(result.error.issues, params).detail}`)
  refuseNul(Object.values(params).join(''), 'bad parameter in URL path: ')
  return result.data
}

export function parseQuery(op: Operation, search: URLSearchParams): Record<string, unknown> {
  const given = readFields(op.query, search, unreadableQuery)
  const data = checkFields(op.query, given, unreadableQuery)
  if (!given.page_token) {
    const missing = op.requiredOnFirstPage.find((key) => given[key] === undefined)
    if (missing) throw unreadable(`${unreadableQuery}missing field \`${missing}\``)
  }
  return data
}

/** What pairs of names and texts say of an object, in a query or in a form. */
export function parseForm(form: z.ZodObject, text: string): Record<string, unknown> {
  return checkFields(form, readFields(form, new URLSearchParams(text), unreadableForm), unreadableForm)
}

const unreadableQuery = 'unable to parse query string: '
const unreadableForm = 'unable to parse URL-encoded body: '

function readFields(fields: z.ZodObject, search: URLSearchParams, problem: string): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const key of Object.keys(fields.shape)) {
    const values = search.getAll(key)
    const [value] = values
    if (value === undefined) continue
    refuseNul(values.join(''), problem)
    if (isList(fields.shape[key])) {
      given[key] = values.flatMap((text) => text.split(','))
      continue
    }
    // Coercion would read nothing, blanks, signs, hexadecimal and exponents as numbers too.
    if (!/^\d+$/.test(value) && isNumeric(fields.shape[key]))
      throw unreadable(`${problem}${key}: ${noInteger(value)}`)
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

const isNumeric = (schema: unknown): boolean => z.safeParse(schema as z.ZodType, '1').data === 1

/** A list may be given by repeating its key, or separated by commas. */
function isList(schema: unknown): boolean {
  let inner = schema
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap()
  return inner instanceof z.ZodArray
}

/** One that is not said is the right one. */
export function expectContentType(request: Request, expected: string): void {
  const mime = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (mime && mime !== expected) throw unreadable(`expected content type "${expected}", got "${mime}"`)
}

async function parseBody(op: Operation, schema: z.ZodType, request: Request): Promise<unknown> {
  if (op.encoding === 'json') return parseJson(op, schema, request)
  expectContentType(request, 'application/x-www-form-urlencoded')
  // Only an object can be written as a form.
  return parseForm(schema as z.ZodObject, await readText(request, op.bodyMax, unreadableForm))
}

async function parseJson(op: Operation, schema: z.ZodType, request: Request): Promise<unknown> {
  expectContentType(request, 'application/json')
  const text = await readText(request, op.bodyMax, unreadableJson)
  const deep = tooDeepAt(text)
  if (deep !== undefined) throw unreadable(`${unreadableJson}recursion limit exceeded${placeOf(text, deep)}`)
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
  const long = listProblem(schema, input)
  if (long?.kind === 'too long' && !long.error)
    throw invalidValue(labelOf(long.path), `max length ${long.maximum}`)
  if (long?.kind === 'too long') throw unreadableAt(text, long.path, long.error ?? '')
  if (long)
    throw badJson(
      text,
      input,
      long.issues.map((issue) => ({ ...issue, path: [...long.path, ...issue.path] })),
    )
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw badJson(text, input, result.error.issues)
}

/** A list as the API calls it: without the place of the object that holds it among others. */
const labelOf = (path: readonly (string | number)[]): string =>
  path.slice(path.findLastIndex((part) => typeof part === 'number') + 1).join('.')

function badJson(text: string, input: unknown, issues: readonly z.core.$ZodIssue[]): Refusal {
  const { path, detail } = explain(issues, input)
  // A missing field is told of the object that lacks it, as the reference does.
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

/** PostgreSQL keeps neither, and nobody means them. Only an escape can bring them into a JSON text. */
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

/** A form that comes from another site's page, which says of it what it likes. */
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
  return placeOf(text, Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? text.length))
}

function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n')
  return ` at line ${lines.length} column ${lines.at(-1)?.length ?? 0}`
}

function refuseNul(text: string, prefix: string): void {
  if (text.includes('\0')) throw unreadable(`${prefix}invalid character U+0000`)
}
