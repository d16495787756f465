import fs from 'node:fs'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { GiB, KiB, MiB, TiB } from '@gantry/api/base/bytes.rules'
import type { LooseInput } from '@gantry/api/client/client'
import type { Tag } from '@gantry/api/tags/tag.rules'
import { mistake } from './failure.ts'
import { type Field, lineOf, type OperationCommand } from './operations.ts'
import type { FieldType } from './schema.ts'

type Flags = NonNullable<ParseArgsConfig['options']>

const text = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

/** Options of every command that sends requests. */
export const connectionFlags = { profile: text, url: text, help: { ...flag, short: 'h' } } as const

const operationFlags = {
  ...connectionFlags,
  'api-version': text,
  all: flag,
  body: text,
  columns: text,
  'if-match': text,
  json: flag,
  output: text,
  plan: flag,
  retry: flag,
  tag: text,
  watch: flag,
} as const satisfies Flags

/** A parsed command line. */
export interface Parsed {
  operands: readonly string[]
  text: (name: string) => string | undefined
  texts: (name: string) => readonly string[]
  isSet: (name: string) => boolean
}

export function parse(args: readonly string[], options: Flags): Parsed {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const texts = (name: string): string[] => (values[name] ?? []) as string[]
    return {
      operands: positionals,
      texts,
      // Of an option that is given twice, the last one counts, as in other programs.
      text: (name) => texts(name).at(-1),
      isSet: (name) => values[name] === true,
    }
  } catch (error) {
    // Node's own sentence continues with advice about its parser.
    const sentence = (error as Error).message.split(/\. (?=To specify)|\n/)[0] ?? ''
    throw mistake(sentence.endsWith('.') ? sentence : `${sentence}.`)
  }
}

/** What a command line asks of an operation. */
export interface Asked {
  input: LooseInput
  /** The raw body of an operation that takes bytes. */
  bytes: Buffer | undefined
  tags: readonly Tag[]
  columns: readonly string[]
  /** Rows to show, of a list; undefined for all. */
  limit: number | undefined
}

export function parseOperation(command: OperationCommand, args: readonly string[]): Parsed {
  const own: Flags = Object.fromEntries(command.fields.map(({ flag: name }) => [name, text]))
  return parse(args, { ...own, ...operationFlags })
}

/** The values of an operation's fields; `read` reads a file, or standard input for `-`. */
export function askedOf(command: OperationCommand, parsed: Parsed, read = readInput): Asked {
  const line = `gantry ${lineOf(command)}`
  const path = pathOf(command, parsed, line)
  const query: Record<string, unknown> = {}
  const given: Record<string, unknown> = {}
  for (const field of command.fields) {
    const texts = parsed.texts(field.flag)
    if (field.place === 'path' || texts.length === 0) continue
    if (field.place === 'query' && field.name === 'limit' && command.isPaged) continue
    const into = field.place === 'query' ? query : given
    into[field.name] = valueOf(field, texts)
  }
  const source = parsed.text('body')
  const bytes = command.takes === 'bytes' ? read(bodySource(source, line)) : undefined
  const body = command.takes === 'bytes' ? undefined : bodyOf(command, source, given, read, line)
  const { isPaged } = command
  for (const name of ['all', 'watch'] as const)
    if (parsed.isSet(name) && !isPaged && (name === 'all' || command.op.method !== 'GET'))
      throw mistake(`${line} has no --${name}: it shows no list.`)
  if (parsed.isSet('plan') && !command.canPlan) throw mistake(`${line} has no --plan: it cannot be planned.`)
  const tags = parsed.texts('tag').map(tagOf)
  if (tags.length > 0 && !command.takesTags)
    throw mistake(`${line} has no --tag: what it does creates nothing with tags.`)
  return {
    input: { path, query, ...(body !== undefined && { body }) },
    bytes,
    tags,
    columns: parsed.texts('columns').flatMap((names) => names.split(',').map((name) => name.trim())),
    limit: parsed.isSet('all') ? undefined : limitOf(parsed.text('limit')),
  }
}

/** As many as a page of the API has without a limit. */
const defaultLimit = 100

function limitOf(given: string | undefined): number {
  if (given === undefined) return defaultLimit
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  throw mistake(`--limit takes a number of rows from 1 to 999999999, and ${JSON.stringify(given)} is none.`)
}

/** Names and ids in the path come as operands, in its order, or as options. */
function pathOf(command: OperationCommand, parsed: Parsed, line: string): Record<string, string> {
  const operands = [...parsed.operands]
  const path: Record<string, string> = {}
  const fields = command.fields.filter(({ place }) => place === 'path')
  for (const { name, flag: option } of fields) {
    const value = parsed.text(option) ?? operands.shift()
    if (value === undefined) throw mistake(`Say which ${name.replaceAll('_', ' ')}: ${usageOf(command)}.`)
    if (value === '') throw mistake(`${name.replaceAll('_', ' ')} must not be empty: ${usageOf(command)}.`)
    path[name] = value
  }
  const [extra] = operands
  if (extra !== undefined)
    throw mistake(
      `${line} takes ${fields.length === 0 ? 'only options' : `only ${fields.map(({ name }) => operandOf(name)).join(' and ')} and options`}, and ${extra} is none.`,
    )
  return path
}

const operandOf = (name: string): string => name.toUpperCase()

export const usageOf = (command: OperationCommand): string =>
  [
    `gantry ${lineOf(command)}`,
    ...command.fields.filter(({ place }) => place === 'path').map(({ name }) => operandOf(name)),
    ...command.fields
      .filter(({ place, isRequired }) => place === 'query' && isRequired)
      .map((field) => `--${field.flag} ${placeholderOf(field)}`),
  ].join(' ')

/** What help shows as an option's value. */
export function placeholderOf(field: FieldType): string {
  if (field.choices.length > 0 && field.choices.length < 7) return field.choices.join('|')
  switch (field.type) {
    case 'number':
      return 'N'
    case 'bytes':
      return 'BYTES'
    case 'boolean':
      return 'true|false'
    case 'list':
      return field.item ? placeholderOf(field.item) : 'VALUE'
    case 'json':
      return 'JSON'
    case 'text':
      return 'TEXT'
    default:
      return field.type satisfies never
  }
}

function bodySource(source: string | undefined, line: string): string {
  if (source === undefined)
    throw mistake(`Say which bytes to send: ${line} --body FILE, or - for standard input.`)
  return source
}

function bodyOf(
  command: OperationCommand,
  source: string | undefined,
  given: Record<string, unknown>,
  read: typeof readInput,
  line: string,
): unknown {
  if (command.takes === undefined) {
    if (source !== undefined) throw mistake(`${line} takes no --body.`)
    return undefined
  }
  if (source === undefined) return given
  const whole = jsonOf(read(source).toString('utf8'), `--body ${source}`)
  if (Object.keys(given).length === 0) return whole
  if (whole === null || typeof whole !== 'object' || Array.isArray(whole))
    throw mistake('Options of fields need a --body that is an object.')
  return { ...whole, ...given }
}

function jsonOf(content: string, where: string): unknown {
  try {
    return JSON.parse(content) as unknown
  } catch (error) {
    throw mistake(`${where} is not valid JSON: ${(error as Error).message}.`)
  }
}

/** A file, or standard input for `-`. */
function readInput(source: string): Buffer {
  try {
    return fs.readFileSync(source === '-' ? 0 : source)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw mistake(`${source === '-' ? 'Standard input' : source} cannot be read (${code}).`)
  }
}

function tagOf(given: string): Tag {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(given) ?? []
  if (key === undefined || value === undefined)
    throw mistake(`--tag takes a key and a value such as env=prod, and ${JSON.stringify(given)} is none.`)
  return { key, value }
}

function valueOf(field: Field, texts: readonly string[]): unknown {
  const last = texts.at(-1) ?? ''
  const option = `--${field.flag}`
  if (field.type !== 'list') return scalarOf(field, last, option)
  const [only = ''] = texts
  if (texts.length === 1 && only.trimStart().startsWith('[')) return jsonOf(only, option)
  const { item } = field
  return texts.map((one) => (item ? scalarOf(item, one, option) : one))
}

function scalarOf(type: FieldType, given: string, option: string): unknown {
  if (type.isNullable && given === 'null' && type.type !== 'text') return null
  switch (type.type) {
    case 'text':
    case 'list':
      return given
    case 'number':
      if (given.trim() !== '' && Number.isFinite(Number(given))) return Number(given)
      throw mistake(`${option} takes a number, and ${JSON.stringify(given)} is none.`)
    case 'bytes':
      return bytesOf(given, option)
    case 'boolean':
      if (given === 'true' || given === 'false') return given === 'true'
      throw mistake(`${option} takes true or false, and ${JSON.stringify(given)} is neither.`)
    case 'json':
      return jsonOrText(given)
    default:
      return type.type satisfies never
  }
}

/** Text where JSON is expected is text: for fields that take both a name and an object. */
function jsonOrText(given: string): unknown {
  try {
    return JSON.parse(given) as unknown
  } catch {
    return given
  }
}

const units: Readonly<Record<string, number>> = { '': 1, b: 1, kib: KiB, mib: MiB, gib: GiB, tib: TiB }

function bytesOf(given: string, option: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(given.trim()) ?? []
  const factor = units[unit.toLowerCase()]
  const bytes = Number(amount) * (factor ?? Number.NaN)
  if (Number.isSafeInteger(bytes)) return bytes
  throw mistake(`${option} takes bytes such as 10GiB, and ${JSON.stringify(given)} is none.`)
}
