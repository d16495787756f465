import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { pathOf, queryOf } from '@gantry/api/client/client'
import { commandOf } from '@gantry/api/client/command-names.rules'
import { answeredId } from '@gantry/api/history/sent-request.rules'
import { passingRefusals, retryPauses } from '@gantry/api/history/retry.rules'
import { tagsHeader, tagsToHeader } from '@gantry/api/tags/tags-header.rules'
import { idsIn } from '#/data/recording/ids-in.ts'
import type { KnownObject, Recorded, RecordedStep } from '#/data/recording/recorded.ts'
import { bodyOf, callOf, gantryOf, jsonForShell, lines, literal, queryWithout, quoted } from './code.ts'
import type { CodeRequest } from './request.ts'

export const scriptLanguages = ['gantry', 'curl', 'TypeScript'] as const
export type ScriptLanguage = (typeof scriptLanguages)[number]

export const isStep = (recorded: Recorded): recorded is RecordedStep => 'op' in recorded

interface Context {
  /** Its address. */
  server: string
  /** What the steps name by id, besides what they create. */
  known?: Readonly<Record<string, KnownObject>>
  /** The script runs where its objects are, so their ids may stay. */
  keepsIds?: boolean
}

/** Several requests in their order as a program. Ids of what the first ones create are variables in the others. */
export function scriptOf(
  steps: readonly Recorded[],
  { server, known = {}, keepsIds = false }: Context,
): Record<ScriptLanguage, string> {
  const program = programOf(steps, known, keepsIds)
  return {
    gantry: byGantry(program, server),
    curl: byCurl(program, server),
    TypeScript: byTypeScript(program, server),
  }
}

interface Variable {
  words: readonly string[]
  /** What it stands for in the requests as they were sent. */
  value: string
  /** The field of the answer that has it: `id`, or `user.id` of an object in it, or `blocks.0.id` of the first of a list. */
  field: string
}

type Line =
  | { request: CodeRequest; variable?: Variable | undefined }
  /** Said in a comment. */
  | { note: readonly string[] }

export interface Program {
  /** Ids that no request finds: users replace them for another installation. */
  constants: readonly { variable: Variable; note: string }[]
  lines: readonly Line[]
  variables: readonly Variable[]
  secrets: readonly string[]
}

/** Before a request whose answer the recording lacks. */
const unanswered = 'The page was left before this was answered: whether it succeeded is not known.'

/** Requests that mean nothing anywhere else: they name what only the server of the recording has. */
const unrepeatable: Readonly<Record<string, string>> = {
  activityRevert: 'An edit was taken back',
  savedPlanCommit: 'A saved plan was carried out',
  restorationCreate: 'Objects were restored',
  recycledItemRestore: 'Objects were restored from the recycle bin',
}

/** Requests that end an upload. Activity keeps none of those that sent its bytes. */
const endOfBytes: ReadonlySet<string> = new Set([
  'imageUploadComplete',
  'updateUploadComplete',
  'diskFinalizeImport',
])

const bytesNote = (name: string): string =>
  `Here go the bytes of a file (${name}). gantry cp uploads a whole file as an image.`

/** The steps with variables for what one of them answers with and others name. */
export function programOf(
  steps: readonly Recorded[],
  known: NonNullable<Context['known']>,
  keepsIds: boolean,
): Program {
  const variables = new Map<string, Variable>()
  const constants: Program['constants'][number][] = []
  // Names of the program itself.
  const taken = new Set(['client', 'op', 'sent'])
  const written: Line[] = []
  /** The line that answers with an id, by that id. */
  const answering = new Map<
    string,
    { words: readonly string[]; field: string; line: { variable?: Variable | undefined } }
  >()
  const secrets: string[] = []
  let withSecrets = 0
  let hasShownBytes = false

  const variable = (words: readonly string[], value: string, field: Variable['field']): Variable => {
    const unique = distinct(words, taken)
    taken.add(unique.join(' '))
    const made = { words: unique, value, field }
    variables.set(value, made)
    return made
  }

  for (const step of steps) {
    if (!isStep(step)) {
      written.push({ note: [step.note] })
      continue
    }
    const { op, input, tags, answered, hasBytes, pending } = step
    const because = unrepeatable[op.name]
    if (because !== undefined || hasBytes) {
      const why = because ? `${because} (${op.name}). A script cannot repeat that.` : bytesNote(op.name)
      hasShownBytes ||= hasBytes === true
      written.push({ note: [why] })
      continue
    }
    if (endOfBytes.has(op.name)) {
      if (!hasShownBytes) written.push({ note: [bytesNote(op.name)] })
      hasShownBytes = false
    }
    const request: CodeRequest = { op, input, tags }
    for (const id of idsIn(input)) {
      if (variables.has(id)) continue
      const before = answering.get(id)
      const object = known[id]
      if (before) before.line.variable = variable(before.words, id, before.field)
      else if (object?.request)
        written.push({
          request: object.request,
          variable: variable([object.kind, object.name], id, object.field ?? 'id'),
        })
      else if (!keepsIds) {
        const note = object ? `${object.kind} ${object.name}` : `of the request ${op.name}`
        constants.push({
          variable: variable(object ? [object.kind, object.name] : ['object'], id, 'id'),
          note,
        })
      }
    }
    if (op.name === 'deletionCreate') {
      const plan = planOfDeletion(input.body)
      if (plan) written.push({ request: plan.request, variable: variable(['plan'], plan.hash, 'hash') })
    }
    const own = bodyOf(request).secrets
    if (own.length > 0) {
      withSecrets++
      if (withSecrets > 1) request.secrets = `_${withSecrets}`
      secrets.push(...bodyOf(request).secrets)
    }
    if (pending !== undefined) written.push({ note: [unanswered] })
    const line = { request, variable: undefined }
    written.push(line)
    if (answered && !answering.has(answered.id)) {
      const name = answered.name ?? (input.body as { name?: unknown } | undefined)?.name
      const words = [commandOf(op.name).noun, ...(typeof name === 'string' ? [name] : [])]
      answering.set(answered.id, { words, field: answeredId(op.name), line })
    }
  }
  return {
    constants,
    lines: written,
    variables: [...variables.values()],
    secrets: [...new Set(secrets)],
  }
}

/** Objects are deleted with a plan, whose hash is another one elsewhere. */
function planOfDeletion(body: unknown): { request: CodeRequest; hash: string } | undefined {
  const { kind, objectId, hash } = (body ?? {}) as { kind?: string; objectId?: string; hash?: string }
  if (!hash) return undefined
  const op = { name: 'deletionPlanView', method: 'GET', path: '/ext/v1/deletion-plans/{object_id}' } as const
  return { request: { op, input: { path: { objectId }, query: { kind } } }, hash }
}

/** Words of a variable, with a number if it is taken. */
function distinct(words: readonly string[], taken: ReadonlySet<string>): readonly string[] {
  const parts = words.flatMap((word) => word.toLowerCase().split(/[^a-z0-9]+/)).filter(Boolean)
  for (let count = 1; ; count++) {
    const each = count === 1 ? parts : [...parts, String(count)]
    if (!taken.has(each.join(' '))) return each
  }
}

const shellName = ({ words, field }: Variable): string => [...words, field.replace(/.*\./, '')].join('_')
/** `blocks.0.id` as programs index a list. */
const indexed = (field: string, after = ''): string => field.replaceAll(/\.(\d+)\./g, `[$1]${after}.`)
const camelName = ({ words }: Variable): string =>
  words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')

const comment = (sign: string, text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => `${sign} ${line}`)
    .join('\n')

const retried = `# A refusal that can pass is sent again for about a minute: the work of an earlier request may be in progress.`

function byGantry({ constants, lines: all, variables, secrets }: Program, server: string): string {
  const parts = all.map((line) => {
    if ('note' in line) return line.note.map((text) => comment('#', text)).join('\n')
    const hasInnerId = (body: Record<string, unknown>) =>
      Object.values(body).some((value) => typeof value === 'object' && idsIn(value).length > 0)
    const command = gantryOf(line.request, hasInnerId).replace(/^#.*\n/, '')
    const text = inShell(command.replace(/^gantry/, 'run'), variables)
    return line.variable ? `${text}\n${shellName(line.variable)}=$(answered ${line.variable.field})` : text
  })
  return script([
    `#!/bin/sh
# Sign in first: gantry login ${server}
${secretsNote(secrets)}set -eu`,
    `# Runs a command of gantry, and keeps its answer.
${retried}
run() { answer=$(gantry "$@" --retry --json) || exit; }
# A field of the last answer, also of an object in it or of the first in a list.
answered() {
  within= lines='1,$'
  case $1 in *.*) within='  ' lines='/^  "'"\${1%%.*}"'": [{[]$/,/^  []}]/' ;; esac
  case $1 in *.*.*) within='    ' ;; esac
  printf '%s\\n' "$answer" | sed -n "$lines"'s/^  '"$within"'"'"\${1##*.}"'": "\\(.*\\)",\\{0,1\\}$/\\1/p' | sed 1q
}`,
    ...constantLines(constants),
    ...parts,
  ])
}

function byCurl({ constants, lines: all, variables, secrets }: Program, server: string): string {
  const parts = all.map((line) => {
    if ('note' in line) return line.note.map((text) => comment('#', text)).join('\n')
    const { op, input, tags = [] } = line.request
    const { body } = bodyOf(line.request)
    const path = quoted(pathOf(op.path, input.path ?? {}) + queryOf(queryWithout(input)))
    const words = [
      `${body === undefined ? 'send' : 'send_with'} ${op.method} ${path}`,
      ...(tags.length > 0 ? [`--header ${quoted(`${tagsHeader}: ${tagsToHeader(tags)}`)}`] : []),
    ]
    const command = lines(words) + (body === undefined ? '' : ` <<END\n${jsonForShell(body)}\nEND`)
    const text = inShell(command, variables)
    return line.variable
      ? `${text}\n${shellName(line.variable)}=$(answered ${quoted(indexed(line.variable.field))})`
      : text
  })
  return script([
    `#!/bin/sh
# GANTRY_TOKEN is an access token, which User settings create. Needs curl 7.76 or newer, and jq.
${secretsNote(secrets)}set -eu
server=\${GANTRY_URL:-${server}}`,
    `# Sends a request with a body on standard input, and keeps its answer.
${retried}
send_with() {
  method=$1 path=$2
  shift 2
  body=$(cat)
  for pause in ${retryPauses.join(' ')} 0; do
    answer=$(printf '%s' "$body" | curl --silent --show-error --fail-with-body --request "$method" "$server$path" \\
      --header "Authorization: Bearer $GANTRY_TOKEN" --header '${versionHeader}: ${newestVersionText}' \\
      --header 'Content-Type: application/json' \\
      \${body:+--data-binary @-} "$@") && return 0
    printf '%s\\n' "$answer" >&2
    case $answer in ${passingRefusals.map((code) => `*'"${code}"'*`).join(' | ')}) ;; *) exit 1 ;; esac
    [ "$pause" != 0 ] || exit 1
    sleep "$pause"
  done
}
send() { send_with "$@" </dev/null; }
# A field of the last answer.
answered() { printf '%s' "$answer" | jq -r ".$1"; }`,
    ...constantLines(constants),
    ...parts,
  ])
}

const script = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`

const secretsNote = (secrets: readonly string[]): string =>
  secrets.length > 0 ? `# Set ${secrets.join(', ')} first, with quotes and line breaks as in JSON.\n` : ''

const constantsNote = 'Ids of the server where this was recorded. Replace them for another one.'

const constantLines = (constants: Program['constants']): string[] =>
  constants.length === 0
    ? []
    : [
        [
          `# ${constantsNote}`,
          ...constants.map(
            ({ variable, note }) => `${comment('#', note)}\n${shellName(variable)}=${variable.value}`,
          ),
        ].join('\n'),
      ]

/**
 * A command of ours with variables instead of values. Those are ids or hashes, which no quoting changes; what is quoted
 * with apostrophes is quoted with double quotes where it can be.
 */
function inShell(command: string, variables: readonly Variable[]): string {
  const replaced = (text: string, form: (name: string) => string): string =>
    variables.reduce((all, variable) => all.replaceAll(variable.value, form(shellName(variable))), text)
  const at = command.indexOf(' <<END\n')
  const head = at === -1 ? command : command.slice(0, at)
  const document = at === -1 ? '' : command.slice(at)
  const words = head.replaceAll(/'[^']*'|[^'\s]+/g, (word) => {
    if (!variables.some(({ value }) => word.includes(value))) return word
    if (!word.startsWith("'")) return `"${replaced(word, (name) => `\${${name}}`)}"`
    const inner = word.slice(1, -1)
    return /[\\$"`]/.test(inner)
      ? replaced(word, (name) => `'"$${name}"'`)
      : `"${replaced(inner, (name) => `\${${name}}`)}"`
  })
  return words + replaced(document, (name) => `\${${name}}`)
}

function byTypeScript({ constants, lines: all, variables, secrets }: Program, server: string): string {
  const parts = all.map((line) => {
    if ('note' in line) return line.note.map((text) => comment('//', text)).join('\n')
    const call = variables.reduce(
      (text, variable) =>
        text.replaceAll(
          `'${variable.value}'`,
          constants.some((each) => each.variable === variable)
            ? camelName(variable)
            : `${camelName(variable)}.${indexed(variable.field, '!')}`,
        ),
      callOf(line.request),
    )
    return `${line.variable ? `const ${camelName(line.variable)} = ` : ''}await sent(() => ${call})`
  })
  const given = constants.map(
    ({ variable, note }) => `${comment('//', note)}\nconst ${camelName(variable)} = '${variable.value}'`,
  )
  return script([
    `import { type ApiResult, createClient, op, RefusedError, unwrap } from '@gantry/client'`,
    `// GANTRY_TOKEN is an access token, which User settings create.
${secrets.length > 0 ? `// Set ${secrets.join(', ')} in the environment first.\n` : ''}const client = createClient({ base: ${literal(server)}, token: process.env.GANTRY_TOKEN })`,
    `/** Sends a request, and for a minute again if its refusal can pass: the work of an earlier one may be in progress. */
async function sent<Answer>(send: () => Promise<ApiResult<Answer>>): Promise<Answer> {
  for (const seconds of [${retryPauses.join(', ')}]) {
    try {
      return await unwrap(send())
    } catch (error) {
      if (!(error instanceof RefusedError) || !canPass.has(error.errorCode ?? '')) throw error
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }
  return unwrap(send())
}
const canPass = new Set([${passingRefusals.map((code) => `'${code}'`).join(', ')}])`,
    ...(given.length > 0 ? [`// ${constantsNote}\n${given.join('\n')}`] : []),
    ...parts,
  ])
}
