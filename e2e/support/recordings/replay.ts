import { requestOf } from '@gantry/api/client/client'
import {
  camelOf,
  type KnownObject,
  type Recorded,
} from '../../../packages/console/src/data/recording/recorded.ts'
import {
  filled,
  isRequest,
  planFileOf,
  type PlanFile,
  type PlanRequest,
} from '../../../packages/console/src/kit/code/plan-file.ts'
import { scriptOf } from '../../../packages/console/src/kit/code/script.ts'
import { passingRefusals } from '@gantry/api/history/retry.rules'
import { valueAt } from '@gantry/api/history/sent-request.rules'
import { tokenPowers } from '@gantry/api/people/token-scope.rules'
import { inShell } from '../in-shell.ts'
import { password } from '../target.ts'
import type { Person, Sent } from './sent.ts'

/** The ways in which a recording is repeated. */
export const ways = ['plan', 'curl', 'gantry'] as const
export type Way = (typeof ways)[number]

/** What stands for every secret where it is repeated. */
const secret = password

/** Comments of the recording, after which another user sends its requests. */
const mark = 'Continued by '
const markOf = ({ silo, username }: Person): string => `${mark}${silo}/${username}`

interface Recording {
  steps: readonly Recorded[]
  known: Readonly<Record<string, KnownObject>>
  /** Where it was recorded. */
  server: string
}

/** The requests of several people in their order. */
export function together(sent: readonly Sent[]): Recorded[] {
  let last: Person | undefined
  return sent
    .toSorted((one, other) => one.time.getTime() - other.time.getTime())
    .flatMap(({ person, step }) => {
      const isSame = person === last
      last = person
      return isSame ? [step] : [{ note: markOf(person) }, step]
    })
}

interface Target {
  url: string
  /** The id of the same object there, of which the recording says only the id. */
  idThere: (id: string) => Promise<string | undefined>
}

/** Repeats a recording as a plan, and returns why it stopped before its end. */
export async function runPlan(recording: Recording, target: Target): Promise<string | undefined> {
  const plan: PlanFile = planFileOf(recording.steps, recording)
  const answers: Record<string, string> = {}
  const sessions = new Map<string, string>()
  let who = ''
  for (const [index, step] of plan.steps.entries()) {
    if (!isRequest(step)) {
      if (step.note.startsWith(mark)) who = step.note.slice(mark.length)
      continue
    }
    const cookie = sessions.get(who) ?? (await signIn(target.url, who))
    if (cookie === undefined) return `${who} cannot sign in before step ${index + 1}, ${step.operation}`
    sessions.set(who, cookie)
    const ids: Record<string, string> = {}
    for (const { name, id } of plan.ids)
      if (JSON.stringify(step).includes(`"${name}"`)) {
        // What the user leaves as it was stays.
        ids[name] = (await target.idThere(id)) ?? id
      }
    const secrets = new Proxy({}, { get: () => secret })
    const request = filled(step, { projects: {}, ids, secrets }, answers)
    const { status, text } = await repeatedly(() => send(target.url, cookie, request))
    if (status >= 400)
      return `step ${index + 1}, ${step.operation}, answered ${status}: ${text} to ${JSON.stringify(request)}`
    if (step.gives) answers[step.gives.name] = String(valueAt(JSON.parse(text), step.gives.field))
  }
  return undefined
}

async function signIn(url: string, who: string): Promise<string | undefined> {
  const [silo = '', username] = who.split('/')
  const response = await fetch(`${url}/v1/login/${silo}/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: secret }),
  })
  return response.ok ? response.headers.get('set-cookie')?.split(';')[0] : undefined
}

interface Answer {
  status: number
  text: string
}

async function send(base: string, cookie: string, step: PlanRequest): Promise<Answer> {
  const { method, path, params, query, body, tags } = step
  const input = camelOf({ path: { ...params }, query: { ...query }, ...(body !== undefined && { body }) })
  const { url, init } = requestOf({ method, path } as Parameters<typeof requestOf>[0], input, {
    base,
    ...(tags.length > 0 && { tags }),
  })
  const response = await fetch(url, { ...init, headers: { ...(init.headers as object), cookie } })
  return { status: response.status, text: await response.text() }
}

/** As plans and scripts do: the work of an earlier request may be in progress. */
async function repeatedly(once: () => Promise<Answer>): Promise<Answer> {
  for (const seconds of [1, 2, 4, 8, 15]) {
    const answer = await once()
    if (answer.status < 400 || !passingRefusals.some((code) => answer.text.includes(`"${code}"`)))
      return answer
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
  return once()
}

/** Repeats a recording as a script in a shell, and returns why it stopped before its end. */
export async function runScript(
  language: 'curl' | 'gantry',
  recording: Recording,
  target: Target,
): Promise<string | undefined> {
  let text = scriptOf(recording.steps, recording)[language]
  const tokens = new Map<string, string>()
  for (const who of [...text.matchAll(new RegExp(`^# ${mark}(.*)$`, 'gm'))].map(([, name = '']) => name)) {
    if (tokens.has(who)) continue
    const cookie = await signIn(target.url, who)
    if (cookie === undefined) return `${who} cannot sign in`
    const response = await fetch(`${target.url}/ext/v1/me/access-tokens`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'replay', ttl_seconds: 3600, powers: tokenPowers }),
    })
    tokens.set(who, ((await response.json()) as { token: string }).token)
  }
  text = text.replaceAll(
    new RegExp(`^# ${mark}(.*)$`, 'gm'),
    (_, who: string) => `export GANTRY_TOKEN=${tokens.get(who)}`,
  )
  // As users replace the ids that nothing finds by a name.
  for (const [line, name = '', id = ''] of text.matchAll(/^(\w+_id)=([\da-f-]{36})$/gm)) {
    const there = await target.idThere(id)
    if (there !== undefined) text = text.replace(line, `${name}=${there}`)
  }
  const [, needed = ''] = /^# Set ([A-Z0-9_, ]+) first/m.exec(text) ?? []
  const given = needed
    .split(', ')
    .filter(Boolean)
    .map((name) => `${name}=${secret}\n`)
  try {
    await inShell(given.join('') + text, target.url, '')
    return undefined
  } catch (error) {
    return `${String((error as { stderr?: string }).stderr ?? error).slice(-2000)}\n${text.replace(/[^]*?answered\(\).*\n/, '')}`
  }
}
