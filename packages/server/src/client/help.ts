import { ownFlags } from '@gantry/api/client/command-names.rules'
import { placeholderOf, usageOf } from './arguments.ts'
import { commands, type Field, lineOf, type OperationCommand } from './operations.ts'
import type { Terminal } from './terminal.ts'

type Width = Pick<Terminal, 'columns'>

const own: Readonly<Record<(typeof ownFlags)[number], [value: string, words: string]>> = {
  all: ['', 'every row, not only the first 100'],
  'api-version': ['VERSION', 'the version of the API that answers (environment: GANTRY_API_VERSION)'],
  body: [
    'FILE',
    'the body as JSON, from a file or - for standard input; options of fields replace its fields',
  ],
  columns: ['A,B', 'these columns only'],
  help: ['', 'this help'],
  'if-match': ['ETAG', 'only if the object has not changed since'],
  json: ['', 'the answer as JSON'],
  output: ['FILE', 'where to save the answer, or - for standard output'],
  plan: ['', 'show what this would do, and do nothing'],
  profile: ['NAME', 'the profile to use (environment: GANTRY_PROFILE)'],
  retry: ['', 'send again for about a minute what is refused while earlier work is in progress'],
  tag: ['KEY=VALUE', 'a tag of what is created; can be repeated'],
  url: ['URL', 'the server (environment: GANTRY_URL, and GANTRY_TOKEN for the token)'],
  watch: ['', 'show the answer again whenever it changes'],
}

/** Help of one command, from the contract. */
export function commandHelp(command: OperationCommand, width: Width): string {
  const fields = command.fields.filter(({ name }) => !(command.isPaged && name === 'limit'))
  const flags = ownFlags.filter((flag) => appliesTo(flag, command))
  const isJson = command.takes === 'json' || command.takes === 'form'
  const sections = [
    `${command.summary}.\n\nUsage: ${usageOf(command)} [options]\n`,
    section(
      'Operands',
      fields
        .filter(({ place }) => place === 'path')
        .map((field) => [field.name.toUpperCase(), wordsOf(field) || `also as --${field.flag}`]),
      width,
    ),
    section(
      isJson ? 'Options' : 'Options of this command',
      fields.filter(({ place }) => place === 'query').map((field) => optionOf(field)),
      width,
    ),
    section(
      'Fields of the body',
      fields.filter(({ place }) => place === 'body').map((field) => optionOf(field)),
      width,
    ),
    section(
      'Options of every command',
      [
        ...(command.isPaged ? [['--limit N', 'at most so many rows; 100 without it'] as Row] : []),
        ...flags.map((flag): Row => {
          const [value, words] = own[flag]
          const text =
            flag === 'body' && command.takes === 'bytes' ? 'the file to send, or - for standard input' : words
          return [`--${flag}${value && ` ${value}`}`, text]
        }),
      ],
      width,
    ),
    `Sends ${command.op.method} ${command.op.path}\n`,
  ]
  return sections.filter(Boolean).join('\n')
}

type Row = [name: string, words: string]

const optionOf = (field: Field): Row => [
  `--${field.flag} ${placeholderOf(field)}`,
  [field.isRequired ? 'required' : '', wordsOf(field)].filter(Boolean).join('; '),
]

function wordsOf(field: Field): string {
  const item = field.type === 'list' ? field.item : undefined
  const choices = field.choices.length > 0 ? field.choices : (item?.choices ?? [])
  return [
    field.description ?? '',
    field.type === 'list' ? 'can be repeated' : '',
    choices.length >= 7 ? `one of ${choices.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join('; ')
}

export function appliesTo(flag: (typeof ownFlags)[number], command: OperationCommand): boolean {
  const isJson = command.answers === 'json' || command.answers === 'nothing'
  switch (flag) {
    case 'all':
      return command.isPaged
    case 'body':
      return command.takes !== undefined
    case 'columns':
    case 'json':
      return isJson && command.op.method !== 'DELETE'
    case 'if-match':
      return command.op.method === 'PUT' || command.op.method === 'DELETE'
    case 'output':
      return command.answers === 'bytes' || command.answers === 'text'
    case 'plan':
      return command.canPlan
    case 'retry':
      return isJson
    case 'tag':
      return command.takesTags
    case 'watch':
      return command.op.method === 'GET' && command.answers === 'json'
    default:
      return true
  }
}

/** Help of a noun: what can be done with it. */
export function nounHelp(noun: string, width: Width): string {
  const own = commands.filter((command) => command.noun === noun)
  const rows = own.map((command): Row => [command.verb, command.summary])
  return `Usage: gantry ${noun} COMMAND [options]\n\n${section('Commands', rows, width)}\ngantry ${noun} COMMAND --help lists the options of a command.\n`
}

/** Every command whose words contain the given ones. */
export function commandList(words: readonly string[], width: Width): string {
  const found = commands.filter((command) =>
    words.every((word) => `${lineOf(command)} ${command.summary}`.toLowerCase().includes(word.toLowerCase())),
  )
  return lines(
    found.map((command) => [lineOf(command), command.summary]),
    width,
  )
}

const section = (title: string, rows: readonly Row[], width: Width): string =>
  rows.length === 0 ? '' : `${title}:\n${lines(rows, width)}`

/** Names longer than this have their words on the next line. */
const nameMost = 30

/** Two columns, the second wrapped. */
export function lines(rows: readonly Row[], { columns = 100 }: Width): string {
  const names = rows.map(([name]) => name.length).filter((length) => length <= nameMost)
  // On a narrow terminal, the words go below.
  const wide = Math.max(0, ...names) + 4
  const indent = columns - wide < 24 ? 6 : wide
  return rows
    .map(([name, words]) => {
      const wrapped = wrap(words, Math.max(16, columns - indent))
      const fits = name.length + 4 <= indent
      const [first = '', ...rest] = wrapped
      const head = fits
        ? `  ${name.padEnd(indent - 2)}${first}`
        : `  ${name}\n${first && ' '.repeat(indent) + first}`
      return [head.trimEnd(), ...rest.map((line) => ' '.repeat(indent) + line)].join('\n')
    })
    .map((text) => `${text}\n`)
    .join('')
}

function wrap(text: string, width: number): string[] {
  const wrapped: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = wrapped.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      wrapped[wrapped.length - 1] = `${last} ${word}`
    else wrapped.push(word)
  }
  return wrapped
}
