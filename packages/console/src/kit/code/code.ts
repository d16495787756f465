import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { toWire } from '@gantry/api/client/camel'
import { type LooseInput, pathOf, queryOf } from '@gantry/api/client/client'
import { commandOf, flagOf, wholeBodies } from '@gantry/api/client/command-names.rules'
import { recordKeys } from '@gantry/api/client/records.gen'
import { isSecretField, secretWord } from '@gantry/api/client/secret-fields.rules'
import { tagsHeader, tagsToHeader } from '@gantry/api/tags/tags-header.rules'
import type { CodeRequest } from './request.ts'
import { terraformOf } from './terraform.ts'

export const languages = ['curl', 'gantry', 'TypeScript', 'Terraform'] as const
export type Language = (typeof languages)[number]

/** The request in each language; undefined where that has no words for it. Secrets are variables. */
export function codeOf(request: CodeRequest, server: string): Record<Language, string | undefined> {
  return {
    curl: curlOf(request, server),
    gantry: gantryOf(request),
    TypeScript: typeScriptOf(request, server),
    Terraform: terraformOf(request),
  }
}

/** Stands for a secret until the text is written. */
class Secret {
  readonly variable: string
  constructor(field: string) {
    this.variable = field.toUpperCase()
  }
}

/** The body in the words of the API, and the variables that stand for its secrets. */
export function bodyOf({ input: { body }, secrets: suffix = '' }: CodeRequest): {
  body: unknown
  secrets: readonly string[]
} {
  const secrets: string[] = []
  if (body === undefined) return { body, secrets }
  const hide = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hide)
    if (value === null || typeof value !== 'object') return value
    const fields = value as Record<string, unknown>
    return Object.fromEntries(
      Object.entries(fields).map(([name, inner]) => {
        if (!inner || !isSecretField(name, fields)) return [name, hide(inner)]
        const secret = new Secret(secretWord(name) + suffix)
        secrets.push(secret.variable)
        return [name, Array.isArray(inner) ? [secret] : secret]
      }),
    )
  }
  // Through JSON, as it is sent: without fields that are undefined, and with times as text.
  const hidden = hide(JSON.parse(JSON.stringify(toWire(body, recordKeys))) as unknown)
  return { body: hidden, secrets }
}

export const isSecret = (value: unknown): value is Secret => value instanceof Secret

/** JSON for a shell: in a here-document, variables are replaced, and everything else that looks like one must not be. */
export function jsonForShell(value: unknown): string {
  const mark = '\u0000'
  const text = JSON.stringify(
    value,
    (_, inner: unknown) => (isSecret(inner) ? mark + inner.variable : inner),
    2,
  )
  return text
    .replaceAll(/[\\$`]/g, '\\$&')
    .replaceAll(/"\\\\u0000([A-Z0-9_]+)"/g, (_, variable: string) => `"$${variable}"`)
}

/** Quoted for a shell, unless it is a plain word. */
export const quoted = (text: string): string =>
  /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** On one line if that is short. */
function jsonOf(body: unknown): string {
  const line = JSON.stringify(body)
  return line.length <= 60 ? line : JSON.stringify(body, null, 2)
}

/** A command that reads its body from a here-document, where other users of the host do not see it. */
function withDocument(parts: readonly string[], body: unknown, secrets: readonly string[]): string {
  const names = [...new Set(secrets)]
  const note =
    names.length > 0 ? `# Set ${names.join(' and ')} first, with quotes and line breaks as in JSON.\n` : ''
  return `${note}${lines(parts)} <<END\n${jsonForShell(body)}\nEND`
}

export const lines = (parts: readonly string[]): string => parts.join(' \\\n  ')

function curlOf(request: CodeRequest, server: string): string {
  const { op, input, tags } = request
  const { body, secrets } = bodyOf(request)
  const url = `${server}${pathOf(op.path, input.path ?? {})}${queryOf(queryWithout(input))}`
  const parts = [
    op.method === 'HEAD'
      ? `curl --head ${quoted(url)}`
      : `curl ${op.method === 'GET' ? '' : `--request ${op.method} `}${quoted(url)}`,
    '--header "Authorization: Bearer $GANTRY_TOKEN"',
    // Without it, the server takes the shapes of its first edition.
    `--header '${versionHeader}: ${newestVersionText}'`,
  ]
  if (tags && tags.length > 0) parts.push(`--header ${quoted(`${tagsHeader}: ${tagsToHeader(tags)}`)}`)
  if (body === undefined) return lines(parts)
  parts.push("--header 'Content-Type: application/json'")
  return secrets.length > 0
    ? withDocument([...parts, '--data-binary @-'], body, secrets)
    : lines([...parts, `--data-binary ${quoted(jsonOf(body))}`])
}

/** A page's token ends with the page. */
export function queryWithout({ query = {} }: LooseInput): Record<string, unknown> {
  const { pageToken: _, ...rest } = query
  return rest
}

export function gantryOf(
  request: CodeRequest,
  /** Of a body that is easier to read as a document, although each of its fields could be an option. */
  isDocument: (body: Record<string, unknown>) => boolean = () => false,
): string {
  const { op, input, tags = [] } = request
  const { noun, verb } = commandOf(op.name)
  const path = toWire(input.path ?? {}, recordKeys) as Record<string, unknown>
  const operands = [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => quoted(String(path[name])))
  const first = ['gantry', noun, verb, ...operands].filter(Boolean).join(' ')
  const query = Object.entries(toWire(queryWithout(input), recordKeys) as Record<string, unknown>)
  const parts = query.flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((one) => (one === null || one === undefined ? [] : [option('query', name, textOf(one))])),
  )
  const tagged = tags.map(({ key, value }) => `--tag ${quoted(`${key}=${value}`)}`)
  const { body, secrets } = bodyOf(request)
  if (body === undefined) return lines([first, ...parts])
  if (secrets.length > 0 || !hasFlags(op.name, body) || isDocument(body))
    return withDocument([first, ...parts, ...tagged, '--body -'], body, secrets)
  const fields = Object.entries(body).map(([name, value]) => option('body', name, textOf(value)))
  return lines([first, ...parts, ...fields, ...tagged])
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Whether every field of a body can be an option: a null would read as text. */
const hasFlags = (name: string, body: unknown): body is Record<string, unknown> =>
  !wholeBodies.has(name) &&
  body !== null &&
  typeof body === 'object' &&
  !Array.isArray(body) &&
  Object.values(body).every((value) => value !== null)

function option(place: 'query' | 'body', name: string, value: string): string {
  // What begins with a dash would read as another option.
  return `--${flagOf(place, name)}${value.startsWith('-') ? '=' : ' '}${quoted(value)}`
}

function typeScriptOf(request: CodeRequest, server: string): string {
  return `import { createClient, op, unwrap } from '@gantry/client'

const client = createClient({ base: ${literal(server)}, token: process.env.GANTRY_TOKEN })
const answer = await unwrap(${callOf(request)})`
}

/** The request by a client that is there. */
export function callOf({ op, input, tags = [], secrets = '' }: CodeRequest): string {
  const { path, query, body } = { ...input, query: queryWithout(input) }
  const parts = Object.entries({ path, query, body }).filter(
    ([, part]) => part !== undefined && part !== null && Object.keys(part).length > 0,
  )
  const given = literal(Object.fromEntries(parts), '', secrets)
  const more = tags.length > 0 ? `, ${literal({ tags })}` : ''
  return `client(op.${op.name}, ${given}${more})`
}

/** A value as TypeScript, with secrets from the environment. */
export function literal(value: unknown, indent = '', secrets = ''): string {
  if (value instanceof Date) return `new Date(${literal(value.toISOString())})`
  if (typeof value === 'string') return stringLiteral(value)
  if (value === null || typeof value !== 'object') return String(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, inner, secrets))
    return list('[', items, ']', indent)
  }
  const fields = value as Record<string, unknown>
  const beside = toWire(fields, recordKeys) as Record<string, unknown>
  const members = Object.entries(fields)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => {
      const wire = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name)
      if (!member || !isSecretField(wire, beside)) return `${key}: ${literal(member, inner, secrets)}`
      const variable = `process.env.${(secretWord(wire) + secrets).toUpperCase()}!`
      return `${key}: ${Array.isArray(member) ? `[${variable}]` : variable}`
    })
  return list('{', members, '}', indent)
}

/** On one line if that is short. */
function list(open: string, parts: readonly string[], close: string, indent: string): string {
  if (parts.length === 0) return open + close
  const space = open === '{' ? ' ' : ''
  const short = `${open}${space}${parts.join(', ')}${space}${close}`
  if (short.length + indent.length <= 60 && !short.includes('\n')) return short
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`
}

const stringLiteral = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`
